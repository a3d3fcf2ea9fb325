package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.cli.text.BoundTable;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.construct.Construction;
import org.lemmata.construct.Constructions;
import org.lemmata.construct.ModelRun;
import org.lemmata.construct.length.AuxiliaryErrors;
import org.lemmata.construct.length.BoundConstants;
import org.lemmata.construct.length.BoundConstants.Reading;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.token.Vocabulary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The constants of theorem 4.1 of Izzo, Nichani and Lee (2025), and its auxiliary strings. */
@Command(
        name = "bound",
        description = {
            "Compute the training length that suffices for length generalization.",
            "The bound is theorem 4.1 of Izzo, Nichani and Lee (2025), with every constant. Name one "
                    + "or two constructions, or give the constants yourself."
        },
        footer = {
            "  lemmata bound simple-task -p omega=2 --epsilon 0.1",
            "  lemmata bound --epsilon 0.1 --margin 1 --tokens 3 --norm 4"
        })
final class BoundCommand extends JsonCommand {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "F",
            description = "A limit transformer of one layer that `lemmata constructions` lists.")
    private @Nullable String f;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "G",
            description = "A second limit transformer (default: any with the constants of F).")
    private @Nullable String g;

    @Option(names = "-p", paramLabel = "NAME=VALUE", description = "Set a setting of F.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "-q",
            paramLabel = "NAME=VALUE",
            description = "Set a setting of G. Without G, G is F with these settings.")
    private Map<String, String> settingsOfG = new LinkedHashMap<>();

    @Option(
            names = "--epsilon",
            required = true,
            paramLabel = "E",
            description = "How much larger |f - g| may be on long sequences.")
    private double epsilon;

    @Option(names = "--margin", paramLabel = "GAMMA", description = "The logit margin; Infinity if there is none.")
    private @Nullable Double margin;

    @Option(names = "--bits", paramLabel = "P", description = "The number of bits of the attention.")
    private @Nullable Integer bits;

    @Option(names = "--tokens", paramLabel = "N", description = "|Sigma|, the number of tokens.")
    private @Nullable Integer tokens;

    @Option(
            names = "--period",
            paramLabel = "DELTA",
            description = "The period of positions (default without a construction: 1).")
    private @Nullable Integer period;

    @Option(
            names = "--locality",
            paramLabel = "TAU",
            description = "The largest distance with its own score (default without a construction: 0).")
    private @Nullable Integer locality;

    @Option(
            names = "--norm",
            paramLabel = "L",
            description = "The norm L, for both the printed and the corrected bound.")
    private @Nullable Double norm;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Read sequences x, one per line, and build their auxiliary strings; - is standard input.")
    private @Nullable String input;

    private record Built(String name, Construction construction, LimitFunction function) {

        private static final String EXPECTED =
                "construction: expected a limit transformer of one layer, such as simple-task or mod-p-task, got ";

        static Built of(String name, Map<String, String> settings) {
            if (!(Constructions.CATALOGUE.entry(name).create(settings) instanceof ModelRun run)) {
                throw new IllegalArgumentException(EXPECTED + name);
            }
            Construction construction = run.construction();
            String given = settings.entrySet().stream()
                    .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining());
            try {
                return new Built(name + given, construction, LimitFunction.of(construction.build()));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(EXPECTED + name + "; " + e.getMessage());
            }
        }
    }

    @Override
    public Integer call() throws IOException {
        boolean isLegal = epsilon > 0 && epsilon < Double.POSITIVE_INFINITY;
        Refuse.when(!isLegal, "--epsilon", "a finite number above 0", epsilon);
        if (f == null) {
            return byHand();
        }
        Built ofF = Built.of(f, settings);
        boolean same = g == null && settingsOfG.isEmpty();
        Built ofG = same ? ofF : Built.of(g == null ? f : g, settingsOfG());
        BoundTable table = BoundTable.of(named(ofF), named(ofG), same, epsilon);
        return print(table, strings(ofF, ofG, table.bound().resolution()));
    }

    private int print(BoundTable table, List<BoundTable.Strings> strings) throws IOException {
        Map<String, Object> object = table.json();
        if (input != null) {
            object.put("strings", strings.stream().map(BoundTable.Strings::json).toList());
        }
        printJson(object, () -> {
            table.print(out());
            strings.forEach(string -> string.print(out()));
        });
        return ExitCode.CLEAN;
    }

    private BoundTable.Named named(Built built) {
        return new BoundTable.Named(built.name, over(BoundConstants.of(built.function)));
    }

    private int byHand() throws IOException {
        if (!settings.isEmpty() || !settingsOfG.isEmpty() || input != null) {
            throw new IllegalArgumentException("F: expected a construction for "
                    + (input != null ? "--input" : settings.isEmpty() ? "-q" : "-p") + ", got none");
        }
        var given = new BoundTable.Named("constants given", alone());
        return print(BoundTable.of(given, given, true, epsilon), List.of());
    }

    private Map<String, String> settingsOfG() {
        var all = new LinkedHashMap<String, String>();
        if (g == null) {
            all.putAll(settings);
        }
        all.putAll(settingsOfG);
        return all;
    }

    private List<BoundTable.Strings> strings(Built ofF, Built ofG, double e) throws IOException {
        var strings = new ArrayList<BoundTable.Strings>();
        if (input == null) {
            return strings;
        }
        Refuse.when(isByHand(), "--input", "the constants of the constructions for their strings", "others by hand");
        var pair = new AuxiliaryErrors.Pair(ofF.function, ofG.function, e);
        Vocabulary vocabulary = ofF.construction.vocabulary();
        try (BufferedReader reader = InputFile.open(input)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                try {
                    strings.add(BoundTable.Strings.of(pair, vocabulary, line));
                } catch (IllegalArgumentException refusal) {
                    throw new IllegalArgumentException(
                            "input: line " + (strings.size() + 1) + ": " + refusal.getMessage());
                }
            }
        }
        return strings;
    }

    private boolean isByHand() {
        boolean ofPositions = period != null || locality != null;
        return ofPositions || margin != null || bits != null || tokens != null || norm != null;
    }

    /**
     * The constants of a function from options only; period and locality are 1 and 0 without options.
     *
     * @throws IllegalArgumentException if another constant is missing, or one is not legal
     */
    private BoundConstants alone() {
        double gamma = required("--margin", margin);
        double l = required("--norm", norm);
        return over(new BoundConstants(
                required("--tokens", tokens),
                1,
                0,
                required("--bits", bits),
                Reading.same(gamma),
                Optional.empty(),
                Reading.same(l)));
    }

    private static <T> T required(String option, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(option + ": expected it where no construction is named, got none");
        }
        return value;
    }

    /**
     * {@code function} with the constants that the options set.
     *
     * @throws IllegalArgumentException if one is not legal
     */
    private BoundConstants over(BoundConstants function) {
        Refuse.below("--tokens", tokens == null ? 1 : tokens, 1);
        Refuse.below("--period", period == null ? 1 : period, 1);
        Refuse.below("--locality", locality == null ? 0 : locality, 0);
        Refuse.below("--bits", bits == null ? 1 : bits, 1);
        double gamma = margin == null ? 1 : margin;
        Refuse.when(!(gamma > 0), "--margin", "a number above 0", gamma);
        double l = norm == null ? 0 : norm;
        Refuse.when(!(l >= 0 && l < Double.POSITIVE_INFINITY), "--norm", "a finite number of at least 0", l);
        return new BoundConstants(
                tokens == null ? function.tokens() : tokens,
                period == null ? function.period() : period,
                locality == null ? function.locality() : locality,
                bits == null ? function.bits() : bits,
                margin == null ? function.margin() : Reading.same(margin),
                norm == null ? function.factors() : Optional.empty(),
                norm == null ? function.norm() : Reading.same(norm));
    }
}
