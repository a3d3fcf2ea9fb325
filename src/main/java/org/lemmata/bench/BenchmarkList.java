package org.lemmata.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The annotations of each benchmark, read from the list that JMH's annotation processor stores in a jar
 * ({@code META-INF/BenchmarkList}). Each line has one benchmark and mode in 23 fields. A field consists of a letter,
 * which defines its kind, and of texts, each preceded by its length.
 */
final class BenchmarkList {

    static final String FILE = "META-INF/BenchmarkList";

    private static final String SINGLE_SHOT = "SingleShotTime";

    /**
     * The annotations of one benchmark.
     *
     * @param settings the value of each option that JMH uses unless the command line replaces it: the annotation's, or
     *     else JMH's default; an empty text if there is neither
     * @param values the number of values of each parameter
     */
    record Entry(SequencedMap<String, String> settings, Map<String, Integer> values) {

        private void addMode(String mode) {
            var modes = new TreeSet<>(List.of(settings.getOrDefault("-bm", "").split(",", -1)));
            modes.add(mode);
            settings.put("-bm", String.join(",", modes));
        }
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private BenchmarkList() {}

    /** Reads a list. Skips lines that another version of JMH wrote in another format. */
    static BenchmarkList of(String text) {
        var list = new BenchmarkList();
        text.lines().filter(line -> line.startsWith("JMH ")).forEach(list::add);
        return list;
    }

    /** The annotations of a benchmark; empty if its lines could not be read. */
    Optional<Entry> entry(String benchmark) {
        return Optional.ofNullable(entries.get(benchmark));
    }

    private void add(String line) {
        try {
            add(new Fields(line));
        } catch (StringIndexOutOfBoundsException | NumberFormatException e) {
            // The line has another format, so nothing is known about this benchmark before it runs.
        }
    }

    private void add(Fields fields) {
        String benchmark = fields.text("");
        fields.text("");
        benchmark += "." + fields.text("");
        String mode = fields.text("");
        Entry known = entries.get(benchmark);
        if (known != null) {
            known.addMode(mode);
            return;
        }
        boolean once = mode.equals(SINGLE_SHOT);
        var settings = new LinkedHashMap<String, String>();
        settings.put("-bm", mode);
        settings.put("-t", fields.text("1"));
        settings.put("-tg", fields.text(""));
        // Skips the names of thread groups.
        fields.skip();
        settings.put("-wi", fields.text(once ? "0" : "5"));
        settings.put("-w", fields.time(once));
        settings.put("-wbs", fields.text("1"));
        settings.put("-i", fields.text(once ? "1" : "5"));
        settings.put("-r", fields.time(once));
        settings.put("-bs", fields.text("1"));
        fields.skip();
        fields.skip();
        for (String option : List.of("-jvm", "-jvmArgs", "-jvmArgsPrepend", "-jvmArgsAppend")) {
            settings.put(option, fields.text(""));
        }
        Map<String, Integer> values = fields.values();
        settings.put("-tu", fields.text("SECONDS"));
        entries.put(benchmark, new Entry(settings, values));
    }

    /** The fields of a line, from left to right. */
    private static final class Fields {
        private final String line;
        private int at = "JMH ".length();

        Fields(String line) {
            this.line = line;
        }

        private String word() {
            int start = at;
            at = line.indexOf(' ', start) + 1;
            return line.substring(start, at - 1);
        }

        private int number() {
            return Integer.parseInt(word());
        }

        private String counted() {
            int length = number();
            int start = at;
            at = start + length + 1;
            return line.substring(start, start + length);
        }

        private List<String> counted(int count) {
            return IntStream.range(0, count).mapToObj(i -> counted()).toList();
        }

        /** Reads a field: one text, or several joined by blanks; {@code otherwise} if there is no annotation. */
        String text(String otherwise) {
            return switch (word()) {
                case "E" -> otherwise;
                case "A", "L" -> String.join(" ", counted(number()));
                default -> counted();
            };
        }

        void skip() {
            text("");
        }

        /** Reads a time in the format of the options, such as "200ms"; empty for single shots, which have no time. */
        String time(boolean once) {
            String time = text("10 s").replace(" ", "");
            return once ? "" : time;
        }

        Map<String, Integer> values() {
            var values = new LinkedHashMap<String, Integer>();
            if (word().equals("M")) {
                int count = number();
                for (int i = 0; i < count; i++) {
                    String name = counted();
                    values.put(name, counted(number()).size());
                }
            }
            return values;
        }
    }
}
