package org.lemmata.cli;

import java.io.IOException;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.experiment.PrefixCompletion;
import org.lemmata.kernel.Kernels;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Completes prefixes with trained weights. */
@Command(
        name = "complete",
        description =
                "Completes prefixes, one a line, with the weights of a run or a file, and prints one JSON object a"
                        + " line.")
final class CompleteCommand extends OutputCommand {

    @Mixin
    private ModelOptions model = new ModelOptions();

    @Option(names = "--sample", description = "Draw each token by its probability; the likeliest by default.")
    private boolean sample;

    @Option(names = "--temperature", paramLabel = "T", description = "Draw, with logits divided by T.")
    private @Nullable Double temperature;

    @Option(names = "--seed", paramLabel = "SEED", description = "What is drawn follows from it and the line; 1.")
    private @Nullable Long seed;

    @Option(
            names = "--length",
            paramLabel = "N",
            description = "Tokens of prefix and completion together, at most; by default those of the task's"
                    + " sequences, or all positions of the model.")
    private @Nullable Integer length;

    @Override
    public Integer call() throws IOException {
        boolean draws = sample || temperature != null;
        Refuse.when(seed != null && !draws, "--seed", "--sample or --temperature beside it", "none");
        var options = new PrefixCompletion.Options(
                draws ? OptionalDouble.of(temperature == null ? 1 : temperature) : OptionalDouble.empty(),
                seed == null ? 1 : seed,
                length == null ? OptionalInt.empty() : OptionalInt.of(length));
        var completion = new PrefixCompletion(model.model(), model.policy(), Kernels.best(), options);
        return model.print(out(), completion::answer);
    }
}
