package org.lemmata.cli;

import org.lemmata.construct.Constructions;
import picocli.CommandLine.Command;

/** Lists the constructions with their settings. */
@Command(name = "constructions", description = "Lists the constructions with their settings.")
final class ConstructionsCommand extends CatalogueCommand {

    ConstructionsCommand() {
        super(Constructions.CATALOGUE);
    }
}
