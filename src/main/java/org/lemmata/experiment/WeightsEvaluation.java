package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Configuration;
import org.lemmata.config.Node;
import org.lemmata.config.Place;
import org.lemmata.dataset.DataSet;
import org.lemmata.model.file.ModelConfig;
import org.lemmata.token.Vocabulary;

/**
 * Configurations for measuring stored weights. They have the task, data, evaluation and precision of the weights' run,
 * or another task. Keys for training have no effect.
 */
public final class WeightsEvaluation {

    /** The keys of a run that affect its measurements only through the weights. */
    private static final Set<String> OF_TRAINING = Set.of(
            "steps",
            "epochs",
            "accumulate",
            "curve",
            "model",
            "initialization",
            "optimizer",
            "schedule",
            "stop",
            "checkpoint");

    private static final String TASK = "task";
    private static final String DATA = "data";
    private static final String START = "start";

    private WeightsEvaluation() {}

    /**
     * Creates the configuration.
     *
     * @param place a safetensors file, or the directory of a run
     * @param dataSet a directory with a data set that replaces the task
     * @param precision a policy file that replaces the run's section {@code precision}
     * @param overrides values that replace the run's values; {@code task.name} also removes the run's task and data
     * @throws IllegalArgumentException if no run and no argument gives the task, or the data set has other symbols
     */
    public static Configuration of(Path place, Optional<Path> dataSet, Optional<Path> precision, List<String> overrides)
            throws IOException {
        Path weights = RunDirectory.weights(place);
        Optional<Path> config = RunDirectory.configuration(weights);
        Node.Mapping root = config.isPresent()
                ? Configuration.document(config.get(), TrainingSections.TRAINING)
                : Node.Mapping.empty(Place.COMMAND_LINE);
        boolean isOther = dataSet.isPresent() || overrides.stream().anyMatch(key -> key.startsWith("task.name="));
        if (config.isEmpty() && !isOther) {
            throw new IllegalArgumentException(weights + ": expected task.name=..., or --data, for weights without the "
                    + RunDirectory.CONFIG + " of a run, got neither");
        }
        root = isOther ? withoutTask(root) : without(root, OF_TRAINING);
        if (precision.isPresent()) {
            Node own = Configuration.document(precision.get(), PrecisionReader.SECTION);
            root = root.put(PrecisionReader.SECTION.name(), own);
        }
        var all = new ArrayList<>(List.of("steps=1", RunDirectory.startingFrom(place)));
        if (dataSet.isPresent()) {
            all.addAll(ofFiles(dataSet.get(), weights));
        }
        all.addAll(overrides);
        return Configuration.ofOverridden(Configuration.overridden(root, all), TrainingSections.TRAINING);
    }

    private static List<String> ofFiles(Path dataSet, Path weights) throws IOException {
        DataSet files = DataSet.open(dataSet);
        List<String> symbols = files.vocabulary().symbols();
        Optional<ModelConfig> config = ModelConfig.beside(weights);
        Optional<Vocabulary> own = config.isPresent() ? config.get().vocabulary() : Optional.empty();
        List<String> expected = new ArrayList<>(own.map(Vocabulary::symbols).orElse(symbols));
        if (expected.size() == symbols.size() + 1) {
            expected.remove(TrainingTask.START);
        }
        Refuse.when(
                !expected.equals(symbols),
                dataSet + ": vocabulary",
                "that of the model, " + Refuse.shown(String.join(" ", expected)),
                Refuse.shown(String.join(" ", symbols)));
        var overrides = new ArrayList<>(List.of("task.file=" + RunDirectory.quoted(dataSet), "data.validation=0"));
        if (!files.splits().contains("train")) {
            overrides.add("data.train=0");
        }
        return overrides;
    }

    /** Removes {@link #OF_TRAINING} and the sections {@code task} and {@code data}, except for {@code data.start}. */
    private static Node.Mapping withoutTask(Node.Mapping root) {
        var keys = new HashSet<>(OF_TRAINING);
        keys.addAll(Set.of(TASK, DATA));
        Node.Mapping rest = without(root, keys);
        return root.entries().get(DATA) instanceof Node.Mapping data
                        && data.entries().containsKey(START)
                ? rest.put(DATA + "." + START, data.entries().get(START))
                : rest;
    }

    private static Node.Mapping without(Node.Mapping root, Set<String> keys) {
        var entries = new LinkedHashMap<>(root.entries());
        entries.keySet().removeAll(keys);
        return new Node.Mapping(root.place(), entries);
    }
}
