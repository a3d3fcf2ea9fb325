package org.lemmata.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.config.Configuration;
import org.lemmata.config.Node;
import org.lemmata.config.Place;
import org.lemmata.config.Section;
import org.lemmata.file.FileTree;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;

/**
 * The cells of a sweep file and their limits.
 *
 * @param trial the name of the {@link Trial} of its cells
 * @param cells distinct cells in the order of the axes; the last axis changes fastest
 * @param duplicates the number of grid points with the same cell as an earlier point
 * @param memoryBytes maximum heap of a cell in bytes, 0 if the file does not state it
 * @param retries the number of further attempts after failures that may be temporary
 * @param keep which files of a finished cell stay
 * @param yaml the file with base, budget and overrides inserted; it is itself a sweep file
 */
public record Sweep(
        String trial,
        List<Cell> cells,
        int duplicates,
        int threads,
        long memoryBytes,
        int retries,
        Keep keep,
        String yaml) {

    /** The name of the default budget: the grid without a named budget. */
    public static final String FULL = "full";

    private static final int MAX_THREADS = 1024;
    private static final ValueType<Long> AMOUNT =
            new ValueType<>("an amount such as 500 MiB or 2 GiB", true, Sweep::bytes);

    private static final Pattern BYTES = Pattern.compile("([1-9][0-9]{0,8})\\s*([KMG])iB");

    /** The maximum number of characters of a cell's settings in a message. */
    private static final int LONGEST_CELL = 80;

    private static final String TRIAL = "trial";
    private static final String BASE = "base";
    private static final String WITH = "with";
    private static final String AXES = "axes";
    private static final String ZIP = "zip";
    private static final String WHERE = "where";
    private static final String SEEDS = "seeds";
    private static final String MEMORY = "memory";
    private static final String BUDGETS = "budgets";

    public static final Section SECTION = Section.of("", Setting.table("""
        trial | train | kind of cell; `train` takes the keys of `lemmata train`
        base | | settings of every cell: keys, or the path of a file, relative to this file
        with | | keys that override the base file
        axes | | keys, each with a list of values or a range; every combination is a cell
        zip | | a list; each element has keys with lists of equal length, whose values are taken
          together
        where | | a list of conditions; cells that break one are left out
        seeds | | number of seeds (1, 2, ...), or a list, or a range; default: the seed of the base
        threads | 1 | threads per cell; for N cores, N / `threads` cells run at once
        memory | | largest heap of one cell, such as `500 MiB`; limits how many cells run at once
        retries | 2 | further attempts if a cell fails for a reason that may go away: file errors, lost
          machines
        keep | results | what to keep of each finished cell: `results`, `weights` (results and weights) or
          `checkpoints` (all three)
        budgets | | names, each with keys that override this file
        """));

    public Sweep {
        cells = List.copyOf(cells);
    }

    static Optional<Long> bytes(String amount) {
        Matcher parts = BYTES.matcher(amount);
        return parts.matches()
                ? Optional.of(Long.parseLong(parts.group(1)) << (10 * (1 + "KMG".indexOf(parts.group(2)))))
                : Optional.empty();
    }

    /** This sweep with only the cells {@code some}. */
    public Sweep withCells(List<Cell> some) {
        return new Sweep(trial, some, duplicates, threads, memoryBytes, retries, keep, yaml);
    }

    /**
     * Reads a sweep file, and creates and checks its cells without running them.
     *
     * @param overrides {@code dotted.path=value}, which replace keys of the file
     * @param budget a budget that the file names, or {@link #FULL}
     * @throws IllegalArgumentException if the sweep is not legal; the message is one line that names the place
     * @throws IOException if a file cannot be read
     */
    public static Sweep read(Path file, List<String> overrides, String budget) throws IOException {
        Node.Mapping document = withBudget(Configuration.document(file, SECTION), budget);
        return new SweepReader(file, Configuration.overridden(document, overrides))
                .read(id -> true)
                .orElseThrow();
    }

    /**
     * Reads a sweep from text. The path of a base file is relative to the directory of {@code source}.
     *
     * @param source the path or name of the text, also for messages
     * @throws IllegalArgumentException if the sweep is not legal; the message is one line that names the place
     * @throws IOException if the base's file cannot be read
     */
    public static Sweep parse(String source, String yaml, List<String> overrides, String budget) throws IOException {
        return parse(source, yaml, overrides, budget, id -> true).orElseThrow();
    }

    /**
     * Reads a sweep if the ids of all its cells are {@code known}; stops at the first unknown id and then returns
     * empty.
     */
    public static Optional<Sweep> parse(
            String source, String yaml, List<String> overrides, String budget, Predicate<String> known)
            throws IOException {
        Node.Mapping document = withBudget(Configuration.document(source, yaml, SECTION), budget);
        return new SweepReader(Path.of(source), Configuration.overridden(document, overrides)).read(known);
    }

    private static Node.Mapping withBudget(Node.Mapping document, String budget) {
        Node budgets = document.entries().get(BUDGETS);
        Map<String, Node> named = switch (budgets) {
            case null -> Map.of();
            case Node.Mapping mapping -> mapping.entries();
            default -> throw budgets.unexpected(BUDGETS, "names, each with keys of this file");
        };
        Node chosen = named.get(budget);
        if (chosen == null) {
            if (!budget.equals(FULL)) {
                throw (budgets == null ? document : budgets)
                        .refuse(
                                BUDGETS,
                                "expected the budget "
                                        + Stream.concat(Stream.of(FULL), named.keySet().stream())
                                                .collect(Collectors.joining(" or "))
                                        + ", got " + budget + Suggestion.hint(budget, named.keySet()));
            }
            return document;
        }
        return Axis.over(document, BUDGETS + "." + budget, chosen);
    }

    private static final class SweepReader {

        private final Path file;
        private final Node.Mapping document;
        private final Configuration root;

        /**
         * The first cell for each combination of values except the seed. Cells that differ only in the seed are checked
         * once.
         */
        private final Map<Map<String, Node>, Cell> firsts = new HashMap<>();

        SweepReader(Path file, Node.Mapping document) {
            this.file = file;
            this.document = document;
            root = Configuration.of(document, SECTION);
        }

        Optional<Sweep> read(Predicate<String> known) throws IOException {
            String name = root.text(TRIAL, "the name of a trial");
            Trial trial = root.checked(TRIAL, () -> Trial.named(name));
            Node.Mapping base = base(trial);
            List<Axis> axes = axes(trial);
            requireEffect(base, axes);
            List<Node> conditions = elements(WHERE);
            var cells = new LinkedHashMap<String, Cell>();
            int points = 0;
            for (SequencedMap<String, Node> point : Axis.product(axes, document.place())) {
                Node.Mapping settings = base;
                for (Map.Entry<String, Node> value : point.entrySet()) {
                    if (!Axis.isNothing(value.getValue())) {
                        settings = settings.put(value.getKey(), value.getValue());
                    }
                }
                if (holdsAll(conditions, settings, point)) {
                    points++;
                    Cell cell = cell(trial, settings, point);
                    if (!known.test(cell.id())) {
                        return Optional.empty();
                    }
                    cells.putIfAbsent(cell.id(), cell);
                }
            }
            root.refuseWhen(cells.isEmpty(), WHERE, "conditions that some cell meets", "none that does");
            return Optional.of(new Sweep(
                    name,
                    List.copyOf(cells.values()),
                    points - cells.size(),
                    root.integer("threads", 1, MAX_THREADS),
                    root.get(MEMORY, AMOUNT, () -> 0L),
                    root.integer("retries", 0, Integer.MAX_VALUE),
                    root.choice("keep", Keep.class),
                    yaml(base)));
        }

        /** The base of all cells with the values of {@code with}. Rejects keys that belong to the whole sweep. */
        private Node.Mapping base(Trial trial) throws IOException {
            Node given = root.given(BASE).orElse(Node.Mapping.empty(document.place()));
            Node.Mapping base = switch (given) {
                case Node.Mapping mapping -> mapping;
                case Node.Scalar scalar
                when scalar.kind() == Node.Kind.TEXT ->
                    Configuration.document(FileTree.named(file, BASE, scalar.text()), trial.section());
                default -> throw root.refusal(BASE, "expected keys, or a file with them, got " + given.description());
            };
            Node with = root.given(WITH).orElse(null);
            if (with != null) {
                base = Axis.over(base, WITH, with);
            }
            for (String free : trial.free()) {
                Node node = base.entries().get(free);
                if (node != null) {
                    throw node.refuse(
                            free,
                            "expected this key next to base, for the whole sweep, got it in the settings of a cell");
                }
            }
            return base;
        }

        private List<Axis> axes(Trial trial) {
            var axes = new ArrayList<Axis>();
            root.given(AXES).ifPresent(node -> axes.addAll(Axis.crossed(AXES, node)));
            elements(ZIP).forEach(node -> axes.add(Axis.zipped(ZIP, node)));
            root.given(SEEDS).ifPresent(node -> axes.add(seeds(node)));
            axes.forEach(axis -> axis.points().getFirst().forEach((path, value) -> {
                if (trial.free().contains(path)) {
                    throw value.refuse(
                            path,
                            "expected this key next to axes, for the whole sweep, got it as an axis: no result depends"
                                    + " on it");
                }
            }));
            return axes;
        }

        /** Rejects overrides of keys that an axis sets, because they would have no effect. */
        private static void requireEffect(Node.Mapping base, List<Axis> axes) {
            axes.forEach(axis -> axis.points().getFirst().keySet().forEach(path -> {
                Node value = base.get(path);
                if (value != null && value.place().equals(Place.COMMAND_LINE)) {
                    throw value.refuse(
                            BASE + "." + path,
                            "expected a key that no axis changes, got one that does; change the axis");
                }
            }));
        }

        private Axis seeds(Node node) {
            if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.INTEGER) {
                int count = root.integer(SEEDS, 1, Integer.MAX_VALUE);
                return Axis.of(Trial.SEED, SEEDS, new Node.Scalar(scalar.place(), Node.Kind.TEXT, "1.." + count));
            }
            return Axis.of(Trial.SEED, SEEDS, node);
        }

        private List<Node> elements(String key) {
            Node node = root.given(key).orElse(null);
            return switch (node) {
                case null -> List.of();
                case Node.Sequence list -> list.elements();
                default -> throw root.refusal(key, "expected a list, got " + node.description());
            };
        }

        private static boolean holdsAll(
                List<Node> conditions, Node.Mapping settings, SequencedMap<String, Node> point) {
            if (conditions.isEmpty()) {
                return true;
            }
            Map<String, Node> values = Axis.leaves("", settings);
            // Adds keys without a value, and keys within lists.
            point.forEach(values::putIfAbsent);
            return conditions.stream().allMatch(condition -> Condition.holds(condition, values));
        }

        private Cell cell(Trial trial, Node.Mapping settings, SequencedMap<String, Node> point) throws IOException {
            Map<String, Node> others = new HashMap<>(point);
            Node seed = others.remove(Trial.SEED);
            Cell first = firsts.get(others);
            if (first != null
                    && first.settings().containsKey(Trial.SEED)
                    && seed instanceof Node.Scalar scalar
                    && scalar.kind() == Node.Kind.INTEGER) {
                Optional<Long> number = ValueType.seed().read(scalar.text().replace("_", ""));
                if (number.isPresent()) {
                    return first.withSeed(number.get());
                }
            }
            Cell cell = read(trial, settings, point);
            firsts.putIfAbsent(others, cell);
            return cell;
        }

        private Cell read(Trial trial, Node.Mapping settings, SequencedMap<String, Node> point) throws IOException {
            var axes = new LinkedHashMap<String, String>();
            point.forEach((path, value) -> axes.put(path, Axis.text(value)));
            try {
                Configuration configuration = Configuration.ofOverridden(settings, trial.section());
                trial.check(configuration);
                configuration.requireAllRead();
                SequencedMap<String, String> effective = configuration.effective();
                trial.free().forEach(effective::remove);
                axes.remove(Trial.SEED);
                // For example, 1e-3 and 0.001 are the same point, so axes have effective values.
                axes.replaceAll((path, written) -> effective(effective, path, written));
                return Cell.of(
                        trial.name(),
                        configuration.toYaml(trial.free()),
                        effective,
                        axes,
                        configuration.seed(Trial.SEED),
                        trial.cost(configuration));
            } catch (IllegalArgumentException e) {
                if (axes.isEmpty()) {
                    throw e;
                }
                String cell = axes.entrySet().stream()
                        .map(axis -> Refuse.shown(axis.getKey()) + "=" + Refuse.shown(axis.getValue()))
                        .collect(Collectors.joining(" "));
                throw new IllegalArgumentException(
                        e.getMessage() + " (in the cell " + Refuse.shown(cell, LONGEST_CELL) + ")", e);
            }
        }

        private static String effective(Map<String, String> settings, String path, String written) {
            var elements = new ArrayList<String>();
            for (int i = 0; settings.containsKey(path + "." + i); i++) {
                elements.add(settings.getOrDefault(path + "." + i, written));
            }
            return elements.isEmpty() ? settings.getOrDefault(path, written) : elements.toString();
        }

        /** The document with its base inserted, and without budgets, because one has already been applied. */
        private String yaml(Node.Mapping base) {
            var entries = new LinkedHashMap<>(document.entries());
            entries.remove(WITH);
            entries.remove(BUDGETS);
            entries.put(BASE, base);
            Configuration whole = Configuration.of(new Node.Mapping(new Place("sweep", 0), entries), SECTION);
            entries.keySet().forEach(whole::given);
            return whole.toYaml();
        }
    }
}
