package org.lemmata.cli;

import org.lemmata.task.Tasks;
import picocli.CommandLine.Command;

/** Lists the tasks with their settings. */
@Command(name = "tasks", description = "Lists the tasks with their settings.")
final class TasksCommand extends CatalogueCommand {

    TasksCommand() {
        super(Tasks.CATALOGUE);
    }
}
