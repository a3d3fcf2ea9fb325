package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.evidence.Campaign;
import org.lemmata.cli.terminal.StandardError;
import org.lemmata.cli.terminal.SweepProgress;

/** Runs a campaign, one figure after another, for at most {@code hours}, and prints the remaining figures. */
record CampaignRun(Campaign campaign, double hours, PrintWriter out, PrintWriter err) {

    void run(BooleanSupplier interrupted) throws IOException {
        long end = System.nanoTime() + Math.round(hours * TimeUnit.HOURS.toNanos(1));
        BooleanSupplier stop = () -> interrupted.getAsBoolean() || System.nanoTime() - end > 0;
        var taken = new HashSet<FigureGrid>();
        while (!stop.getAsBoolean()) {
            // The remaining figures are computed again each time: figures share cells, so one figure's run may have
            // completed cells of another.
            Campaign.Part part = campaign.left().stream()
                    .filter(each -> !taken.contains(each.grid()))
                    .findFirst()
                    .orElse(null);
            if (part == null) {
                break;
            }
            taken.add(part.grid());
            // The file is checked before the first cell, because an unwritable file would cost hours of work.
            Path file = campaign.evidence().file(part.grid().paper()).toAbsolutePath();
            OutDirectory.requireWritable("--evidence", file, file.resolveSibling(""));
            say("Campaign     " + describe(part));
            try (var progress = new SweepProgress(err, part.left(), StandardError.isTerminal())) {
                campaign.run(part, stop, progress);
            }
        }
        List<Campaign.Part> left = campaign.left();
        left.forEach(part -> say("Left         " + describe(part)));
        say(
                left.isEmpty()
                        ? "Campaign     nothing is left at the budget "
                                + campaign.budget().label()
                        : "Campaign     repeat the command to continue; unfinished cells are in " + campaign.work());
    }

    private static String describe(Campaign.Part part) {
        return part.grid().id() + ": " + part.left().cells().size() + " of " + part.all() + " cells, for "
                + part.claims() + " claims, "
                + (Double.isNaN(part.seconds())
                        ? "of unknown length"
                        : String.format(
                                Locale.ROOT,
                                "about %.1f core-hours",
                                part.seconds() * part.left().threads() / TimeUnit.HOURS.toSeconds(1)));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
