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

/** Runs a closed-form model on the strings given. */
@Command(
        name = "run",
        description = "Runs a closed-form model on strings, one a line, and prints one JSON object a line.")
final class RunCommand extends OutputCommand {

    @Parameters(paramLabel = "CONSTRUCTION", description = "One of those that `lemmata constructions` lists.")
    private String name;

    @Option(names = "-p", paramLabel = "NAME=VALUE", description = "A setting of the construction.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Option(names = PrecisionOptions.FORCE, description = PrecisionOptions.FORCE_TEXT)
    private boolean force;

    @Option(names = "--input", paramLabel = "FILE", defaultValue = "-", description = "Strings; - is standard input.")
    private String input;

    @Option(names = "--json", description = "Accepted; the output always is JSON lines.")
    @SuppressWarnings("UnusedVariable") // every command that prints results takes --json; here it changes nothing
    private boolean json;

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
        return InputFile.answer(out(), input, (line, number) -> answers.apply(line));
    }
}
