package org.lemmata.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Computation;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.construct.Constructions;
import org.lemmata.construct.ModelRun;
import org.lemmata.kernel.Kernels;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = {
            "Run a construction on strings.",
            "Prints one JSON object per line of input.",
            "For an illegal line, it prints an object with the error and continues."
        },
        exitCodeList = {"0:Success.", "2:Bad input, or at least one illegal line."},
        footer = {
            "  echo '((' | lemmata run dyck-completion -p 'word=(())()'",
            "  echo '0 2 1' | lemmata run simple-task -p omega=3"
        })
final class RunCommand extends JsonCommand {

    @Parameters(paramLabel = "CONSTRUCTION", description = "A construction that `lemmata constructions` lists.")
    private String name;

    @Option(names = "-p", paramLabel = "NAME=VALUE", description = "Set a setting of the construction.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Option(names = PrecisionOptions.FORCE, description = PrecisionOptions.FORCE_TEXT)
    private boolean force;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "Read the strings from a file; - is standard input (default: ${DEFAULT-VALUE}).")
    private String input;

    @Override
    public Integer call() throws IOException {
        ConstructionRun run = Constructions.CATALOGUE.entry(name).create(settings);
        Computation computation = precision.computation(Kernels.best(), force);
        Refuse.when(
                computation.isRounded() && !(run instanceof ModelRun),
                "format",
                "none for " + name + ", which runs in binary64",
                computation.precision());
        Function<String, Map<String, Object>> answers = run.answers(computation::model);
        return print(out -> InputFile.answer(out, input, (line, number) -> answers.apply(line)));
    }
}
