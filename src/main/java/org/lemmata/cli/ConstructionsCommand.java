package org.lemmata.cli;

import java.io.PrintWriter;
import org.lemmata.construct.Constructions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the constructions with their settings. */
@Command(name = "constructions", description = "Lists the constructions with their settings.")
final class ConstructionsCommand implements Runnable {

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.indented(CatalogueText.json(Constructions.CATALOGUE.entries())));
        } else {
            CatalogueText.print(out, Constructions.CATALOGUE.entries());
        }
    }
}
