package org.lemmata.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.lemmata.argument.Refuse;
import org.lemmata.track.ComparisonOptions;
import picocli.CommandLine.Option;

/** The option {@code --margin} for commands that compare. */
final class MarginOption {

    private static final String NAME = "--margin";

    @Option(
            names = NAME,
            paramLabel = "[REGEX=]MARGIN",
            description = "The change that still counts as the same (default: 2%%). With REGEX=, only for rows that "
                    + "match. You can repeat this option; the last match counts.")
    private List<String> texts = List.of();

    /**
     * {@code options} with these margins.
     *
     * @throws IllegalArgumentException if a margin is malformed
     */
    ComparisonOptions in(ComparisonOptions options) {
        double margin = options.margin();
        var ofRows = new ArrayList<ComparisonOptions.Margin>();
        for (String text : texts) {
            int equals = text.lastIndexOf('=');
            double value = margin(text, text.substring(equals + 1));
            if (equals < 0) {
                margin = value;
            } else {
                ofRows.add(new ComparisonOptions.Margin(pattern(NAME, text.substring(0, equals)), value));
            }
        }
        return options.withMargins(margin, ofRows);
    }

    /**
     * Parses "2%" or "0.02". Rejects numbers such as 5: the user probably means 5%, but 5 would accept every slow-down.
     */
    private static double margin(String option, String text) {
        boolean percent = text.endsWith("%");
        try {
            double value = Refuse.number(percent ? text.substring(0, text.length() - 1) : text);
            Refuse.when(!percent && value >= 1, NAME, "a share such as 2% or 0.02", option);
            return percent ? value / 100 : value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(NAME + ": expected a share such as 2% or 0.02, got " + option, e);
        }
    }

    static Pattern pattern(String option, String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    option + ": expected a regular expression, got " + Refuse.quoted(text), e);
        }
    }
}
