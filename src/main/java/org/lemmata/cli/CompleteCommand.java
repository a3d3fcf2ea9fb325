package org.lemmata.cli;

import java.io.IOException;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.experiment.PrefixCompletion;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "complete",
        description = {"Complete prefixes with trained weights.", "Prints one JSON object per line of input."},
        exitCodeList = {"0:Success.", "2:Bad input, or at least one illegal line."},
        footer = {"  echo '((' | lemmata complete run", "  echo '( ( )' | lemmata complete run --sample --seed 7"})
final class CompleteCommand extends OutputCommand {

    @Mixin
    private ModelOptions model = new ModelOptions();

    @Option(names = "--sample", description = "Draw each token by its probability, not the most probable.")
    private boolean sample;

    @Option(names = "--temperature", paramLabel = "T", description = "Divide the logits by T and draw each token.")
    private @Nullable Double temperature;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Random seed of the draws, combined with the line number (default: 1).")
    private @Nullable Long seed;

    @Option(
            names = "--length",
            paramLabel = "N",
            description = "The maximum number of tokens of prefix and completion together (default: the length of "
                    + "the task's sequences, or all positions of the model).")
    private @Nullable Integer length;

    @Override
    public Integer call() throws IOException {
        boolean draws = sample || temperature != null;
        Refuse.when(seed != null && !draws, "--seed", "--sample or --temperature with it", "none");
        var options = new PrefixCompletion.Options(
                draws ? OptionalDouble.of(temperature == null ? 1 : temperature) : OptionalDouble.empty(),
                seed == null ? 1 : seed,
                length == null ? OptionalInt.empty() : OptionalInt.of(length));
        try (Workers workers = Workers.of(Runtime.getRuntime().availableProcessors())) {
            var completion = new PrefixCompletion(model.model(), model.policy(), Kernels.best(workers), options);
            return model.print(out(), completion::answer);
        }
    }
}
