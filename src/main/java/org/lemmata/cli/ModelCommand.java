package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.experiment.ModelOutputs;
import org.lemmata.experiment.PrefixCompletion;
import org.lemmata.experiment.SavedModel;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.precision.PrecisionPolicy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Applies trained weights to lines. */
@Command(exitCodeList = {"0:Success.", "2:Bad input, or at least one illegal line."})
abstract class ModelCommand extends JsonCommand {

    @Parameters(
            paramLabel = "RUN|WEIGHTS",
            description = "The directory of a run, or a safetensors file (Lemmata's, or a GPT-2 of Hugging Face).")
    private Path place;

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Option(
            names = "--input",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "Read sequences, one per line; - is standard input (default: ${DEFAULT-VALUE}). Separate "
                    + "symbols by blanks, or write them together if each has one character. Write text for a model "
                    + "of text, and token ids if the weights name no symbols.")
    private String input;

    final SavedModel model() throws IOException {
        return SavedModel.open(place);
    }

    /** The requested rounding; empty if the rounding of the training run applies. */
    final Optional<PrecisionPolicy> policy() throws IOException {
        return precision.policy();
    }

    final int answer(InputFile.Answers answers) throws IOException {
        return print(to -> InputFile.answer(to, input, answers));
    }

    @Command(
            name = "complete",
            description = {"Complete prefixes with trained weights.", "Prints one JSON object per line of input."},
            footer = {"  echo '((' | lemmata complete run", "  echo '( ( )' | lemmata complete run --sample --seed 7"})
    static final class OfCompletions extends ModelCommand {

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
                return answer(new PrefixCompletion(model(), policy(), Kernels.best(workers), options)::answer);
            }
        }
    }

    @Command(
            name = "logits",
            description = {
                "Print the logits of trained weights for sequences.",
                "Prints one JSON object per line of input. A regression model prints its value."
            },
            footer = {"  echo '((' | lemmata logits run", "  echo '( )' | lemmata logits run --each"})
    static final class OfLogits extends ModelCommand {

        @Option(names = "--each", description = "Print every position, not only the last.")
        private boolean each;

        @Override
        public Integer call() throws IOException {
            var outputs = new ModelOutputs(model(), policy(), Kernels.best(), each);
            return answer((line, number) -> outputs.answer(line));
        }
    }
}
