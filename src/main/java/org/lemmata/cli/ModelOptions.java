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

/** What the commands take that have weights answer lines, for {@code @Mixin}. */
final class ModelOptions {

    @Parameters(
            paramLabel = "RUN|WEIGHTS",
            description = "The directory of a run; or a safetensors file, ours or a GPT-2 of Hugging Face.")
    private Path place;

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Option(
            names = "--input",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "Sequences, one a line, of symbols with blanks between them, or without where each has one"
                    + " character; of ids where no symbols are known; - is standard input.")
    private String input;

    @Option(names = "--json", description = "Accepted; the output always is JSON lines.")
    @SuppressWarnings("UnusedVariable") // every command that prints results takes --json; here it changes nothing
    private boolean json;

    SavedModel model() throws IOException {
        return SavedModel.open(place);
    }

    /** What is asked to be rounded; empty for what the run rounded. */
    Optional<PrecisionPolicy> policy() throws IOException {
        return precision.policy();
    }

    int print(PrintWriter out, InputFile.Answers answers) throws IOException {
        return InputFile.answer(out, input, answers);
    }
}
