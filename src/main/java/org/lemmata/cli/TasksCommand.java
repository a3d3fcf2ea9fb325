package org.lemmata.cli;

import java.io.PrintWriter;
import org.lemmata.file.Json;
import org.lemmata.task.Tasks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the tasks with their settings. */
@Command(name = "tasks", description = "Lists the tasks with their settings.")
final class TasksCommand implements Runnable {

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.indented(CatalogueText.json(Tasks.CATALOGUE.entries())));
        } else {
            CatalogueText.print(out, Tasks.CATALOGUE.entries());
        }
    }
}
