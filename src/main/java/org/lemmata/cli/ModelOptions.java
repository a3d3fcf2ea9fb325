package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.lemmata.experiment.SavedModel;
import org.lemmata.model.precision.PrecisionPolicy;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Common options of the commands that apply a model to lines, for {@code @Mixin}. */
final class ModelOptions {

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

    @Mixin
    private JsonOption json = new JsonOption();

    SavedModel model() throws IOException {
        return SavedModel.open(place);
    }

    /** The requested rounding; empty if the rounding of the training run applies. */
    Optional<PrecisionPolicy> policy() throws IOException {
        return precision.policy();
    }

    int print(PrintWriter out, InputFile.Answers answers) throws IOException {
        return json.print(out, to -> InputFile.answer(to, input, answers));
    }
}
