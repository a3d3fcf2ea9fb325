package org.lemmata.cli;

import java.io.IOException;
import org.lemmata.experiment.ModelOutputs;
import org.lemmata.kernel.Kernels;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what trained weights give. */
@Command(
        name = "logits",
        description = "Prints the logits, or of regression the value, that the weights of a run or a file give for"
                + " sequences, one JSON object a line.")
final class LogitsCommand extends OutputCommand {

    @Mixin
    private ModelOptions model = new ModelOptions();

    @Option(names = "--each", description = "At each position, not at the last alone.")
    private boolean each;

    @Override
    public Integer call() throws IOException {
        var outputs = new ModelOutputs(model.model(), model.policy(), Kernels.best(), each);
        return model.print(out(), (line, number) -> outputs.answer(line));
    }
}
