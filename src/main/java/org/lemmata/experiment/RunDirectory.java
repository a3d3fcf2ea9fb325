package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lemmata.model.file.ModelConfig;
import org.lemmata.model.file.ShardIndex;
import org.lemmata.train.Training;

/** The files that a run leaves in its directory. */
public final class RunDirectory {

    /** The effective configuration. */
    public static final String CONFIG = "config.yaml";

    /** The trained weights. */
    public static final String WEIGHTS = "weights.safetensors";

    /** What came of the run. */
    public static final String RESULT = "result.json";

    /** All that are written whole under a temporary name first. */
    public static final Set<String> FILES = Set.of(CONFIG, WEIGHTS, ModelConfig.FILE, RESULT);

    /** As Hugging Face names it. */
    private static final String OTHERS = "model.safetensors";

    private RunDirectory() {}

    /**
     * The weights that a user names: a file, or a directory with one.
     *
     * @throws IllegalArgumentException if it is not there, or a directory without weights
     */
    static Path weights(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            if (!Files.exists(place)) {
                throw new IllegalArgumentException(
                        place + ": expected a file of weights, or the directory of a run, got none");
            }
            return place;
        }
        return List.of(WEIGHTS, OTHERS, OTHERS + ShardIndex.SUFFIX).stream()
                .map(place::resolve)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(place + ": expected " + WEIGHTS + ", or " + OTHERS
                        + ", in this directory, got "
                        + (Files.exists(place.resolve(CONFIG)) || Files.exists(place.resolve(Training.CHECKPOINTS))
                                ? "a run that has not ended; train --resume goes on with it"
                                : "neither")));
    }

    /** The override of a configuration by which a run starts from the weights that a user names. */
    public static String startingFrom(Path place) {
        return "initialization." + StartingWeights.KEY + "=" + quoted(place);
    }

    /** As a scalar of YAML, whatever characters it has. */
    static String quoted(Path place) {
        return "'" + place.toString().replace("'", "''") + "'";
    }

    /** The configuration of the run that left some weights, if they are a run's. */
    static Optional<Path> configuration(Path weights) {
        Path config = weights.resolveSibling(CONFIG);
        boolean isOfRun = weights.endsWith(WEIGHTS) && Files.isRegularFile(config);
        return isOfRun ? Optional.of(config) : Optional.empty();
    }
}
