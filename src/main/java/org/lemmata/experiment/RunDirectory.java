package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Configuration;
import org.lemmata.file.FileTree;
import org.lemmata.model.file.ModelConfig;
import org.lemmata.model.file.SafeTensorsFile;
import org.lemmata.train.Training;

/** File names in the directory of a run. */
public final class RunDirectory {

    public static final String CONFIG = "config.yaml";

    public static final String WEIGHTS = "weights.safetensors";

    public static final String RESULT = "result.json";

    /** The names of all files directly in the directory that are written atomically. */
    public static final Set<String> FILES = Set.of(CONFIG, WEIGHTS, ModelConfig.FILE, RESULT);

    /** The name of weight files from Hugging Face. */
    private static final String OTHERS = "model.safetensors";

    private RunDirectory() {}

    /**
     * The file of weights at a path: the file itself, or a file in the directory.
     *
     * @throws IllegalArgumentException if the path does not exist, or is a directory without weights
     */
    static Path weights(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            Refuse.when(!Files.exists(place), place.toString(), "a file of weights, or the directory of a run", "none");
            return place;
        }
        return List.of(WEIGHTS, OTHERS, OTHERS + SafeTensorsFile.INDEX).stream()
                .map(place::resolve)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(place + ": expected " + WEIGHTS + ", or " + OTHERS
                        + ", in this directory, got "
                        + (Files.exists(place.resolve(CONFIG)) || Files.exists(place.resolve(Training.CHECKPOINTS))
                                ? "a run that has not ended; train --resume continues it"
                                : "neither")));
    }

    static Path named(Configuration section, String key, String expected) {
        String text = section.text(key, expected);
        return FileTree.path(text)
                .orElseThrow(() -> section.refusal(key, "expected " + expected + ", got " + Refuse.quoted(text)));
    }

    /** The configuration override with which a run starts from the weights at {@code place}. */
    public static String startingFrom(Path place) {
        return "initialization." + StartingWeights.KEY + "=" + quoted(place);
    }

    static String quoted(Path place) {
        return "'" + place.toString().replace("'", "''") + "'";
    }

    /** The configuration of the run that wrote the weights; empty if they are not from a run. */
    static Optional<Path> configuration(Path weights) {
        Path config = weights.resolveSibling(CONFIG);
        boolean isOfRun = weights.endsWith(WEIGHTS) && Files.isRegularFile(config);
        return isOfRun ? Optional.of(config) : Optional.empty();
    }
}
