package org.lemmata.cli;

import java.io.IOException;
import org.lemmata.experiment.ModelOutputs;
import org.lemmata.kernel.Kernels;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "logits",
        description = {
            "Print the logits of trained weights for sequences.",
            "Prints one JSON object per line of input. A regression model prints its value."
        },
        exitCodeList = {"0:Success.", "2:Bad input, or at least one illegal line."},
        footer = {"  echo '((' | lemmata logits run", "  echo '( )' | lemmata logits run --each"})
final class LogitsCommand extends OutputCommand {

    @Mixin
    private ModelOptions model = new ModelOptions();

    @Option(names = "--each", description = "Print every position, not only the last.")
    private boolean each;

    @Override
    public Integer call() throws IOException {
        var outputs = new ModelOutputs(model.model(), model.policy(), Kernels.best(), each);
        return model.print(out(), (line, number) -> outputs.answer(line));
    }
}
