package org.lemmata.cli;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.experiment.PrefixCompletion;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
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

    @Option(names = "--top-k", paramLabel = "K", description = "Draw among the K likeliest tokens.")
    private @Nullable Integer topK;

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
        boolean draws = sample || temperature != null || topK != null;
        if (seed != null && !draws) {
            throw new IllegalArgumentException(
                    "--seed: expected --sample, --temperature or --top-k beside it, got none");
        }
        var options = new PrefixCompletion.Options(
                draws ? Optional.of(temperature == null ? 1 : temperature) : Optional.empty(),
                topK == null ? Decoding.Sampling.ALL : topK,
                seed == null ? 1 : seed,
                length == null ? OptionalInt.empty() : OptionalInt.of(length));
        var completion = new PrefixCompletion(model.model(), model.policy(), Kernels.best(), options);
        return model.print(out(), completion::answer);
    }
}
