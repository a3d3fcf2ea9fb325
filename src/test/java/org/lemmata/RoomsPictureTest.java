package org.lemmata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/rooms.svg shows the imports that {@link ArchitectureTest} permits, and the walks of docs/extending.md. */
class RoomsPictureTest {

    private static final int WIDTH = 960;
    private static final int BOX_WIDTH = 148;
    private static final int BOX_HEIGHT = 56;
    private static final int ROW = 104;

    /** A walk's heading in docs/extending.md, and its colour. */
    private static final SequencedMap<String, String> WALKS = new LinkedHashMap<>();

    static {
        WALKS.put("A batch to its gradient", "var(--series-1)");
        WALKS.put("A claim to the page", "var(--series-2)");
    }

    /** The number of a step, and the room of the first class that it names. */
    private static final Pattern STEP = Pattern.compile("(?m)^(\\d+)\\.(?:(?!\\n\\d+\\.)[^`])*`([a-z]+)\\.");

    /** The content of each room, in two lines; rooms of equal height are drawn in this order. */
    private static final SequencedMap<String, List<String>> HOLDS = new LinkedHashMap<>();

    static {
        hold("cli", "the command line", "its text, the terminal");
        hold("experiment", "training runs as", "configurations say");
        hold("figure", "claims about trained", "models, their grids");
        hold("report", "the page, its plots,", "exports");
        hold("dataset", "data sets with", "their manifests");
        hold("claim", "statements, checks,", "verdicts");
        hold("train", "optimizer, schedules,", "the loop, checkpoints");
        hold("construct", "closed-form weights,", "one class a theorem");
        hold("measure", "metrics of models,", "what rounding does");
        hold("sweep", "grids of trials,", "engines");
        hold("task", "generators that", "know the answer");
        hold("model", "the one transformer,", "its gradients");
        hold("config", "strict YAML", "with overrides");
        hold("bench", "forks of JMH:", "plan, order, journal");
        hold("token", "vocabulary, example,", "ragged batch");
        hold("kernel", "one operation a package:", "scalar, Vector API");
        hold("setting", "named settings of", "tasks, constructions");
        hold("track", "run records, machines,", "results of JMH");
        hold("index", "ragged offsets,", "sets of words");
        hold("random", "numbers that a key", "and a counter decide");
        hold("number", "number formats,", "rounding modes");
        hold("source", "paper and result", "of a thing");
        hold("statistic", "measurements,", "intervals");
        hold("file", "files that are whole", "or absent; JSON");
    }

    /** A place in the picture. */
    private record Place(double x, double y) {}

    private static void hold(String room, String first, String second) {
        HOLDS.put(room, List.of(first, second));
    }

    /** The imports of each room. The kernels are one room; argument is omitted, because all rooms import it. */
    private static Map<String, Set<String>> imports() {
        var imports = new HashMap<String, Set<String>>();
        for (ArchitectureTest.Room room : ArchitectureTest.TABLE) {
            String name = room.name().replaceFirst("[.].*", "");
            if (!name.equals("argument")) {
                var below = imports.computeIfAbsent(name, any -> new TreeSet<>());
                room.rooms().forEach(each -> below.add(each.replaceFirst("[.].*", "")));
                below.remove(name);
            }
        }
        return imports;
    }

    private static int height(Map<String, Set<String>> imports, String room) {
        return imports.get(room).stream()
                .mapToInt(below -> 1 + height(imports, below))
                .max()
                .orElse(0);
    }

    /** Whether a room also reaches another one through a third, so that the line between them is omitted. */
    private static boolean isIndirect(Map<String, Set<String>> imports, String room, String below) {
        return imports.get(room).stream()
                .anyMatch(between -> !between.equals(below) && reaches(imports, between, below));
    }

    private static boolean reaches(Map<String, Set<String>> imports, String room, String below) {
        return imports.get(room).contains(below)
                || imports.get(room).stream().anyMatch(between -> reaches(imports, between, below));
    }

    private static SequencedMap<String, Place> places(Map<String, Set<String>> imports) {
        assertThat(HOLDS.keySet()).containsExactlyInAnyOrderElementsOf(imports.keySet());
        int top = HOLDS.keySet().stream()
                .mapToInt(room -> height(imports, room))
                .max()
                .orElseThrow();
        var places = new LinkedHashMap<String, Place>();
        for (int at = top; at >= 0; at--) {
            int height = at;
            List<String> row = HOLDS.keySet().stream()
                    .filter(room -> height(imports, room) == height)
                    .toList();
            for (int i = 0; i < row.size(); i++) {
                double centre = WIDTH * (i + 0.5) / row.size();
                places.put(row.get(i), new Place(centre - BOX_WIDTH / 2.0, 24.0 + ROW * (top - height)));
            }
        }
        return places;
    }

    /** The steps of a walk that begin in each room. */
    private static Map<String, List<String>> steps(String walk) throws IOException {
        String text = Files.readString(Path.of("docs/extending.md"));
        int begin = text.indexOf("## " + walk);
        Matcher matcher = STEP.matcher(text.substring(begin, text.indexOf("\n## ", begin)));
        var steps = new HashMap<String, List<String>>();
        while (matcher.find()) {
            steps.computeIfAbsent(matcher.group(2), any -> new ArrayList<>()).add(matcher.group(1));
        }
        assertThat(steps).hasSizeGreaterThan(3);
        return steps;
    }

    private static String line(Place from, Place to) {
        double x = from.x + BOX_WIDTH / 2.0;
        double y = from.y + BOX_HEIGHT;
        double endX = to.x + BOX_WIDTH / 2.0;
        double bend = (to.y - y) / 2;
        return String.format(Locale.ROOT, """
            <path fill="none" style="stroke:var(--rule)" stroke-width="1.2" d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f"/>
            """, x, y, x, y + bend, endX, to.y - bend, endX, to.y);
    }

    private static String box(String room, Place place) {
        double middle = place.x + BOX_WIDTH / 2.0;
        return String.format(
                Locale.ROOT,
                """
                <rect x="%.0f" y="%.0f" width="%d" height="%d" rx="7" style="fill:var(--card);stroke:var(--rule)"/>
                <text x="%.0f" y="%.0f" text-anchor="middle" style="fill:var(--ink);font-weight:600">%s</text>
                <text x="%5$.0f" y="%.0f" text-anchor="middle" style="font-size:11px">%s</text>
                <text x="%5$.0f" y="%.0f" text-anchor="middle" style="font-size:11px">%s</text>
                """,
                place.x,
                place.y,
                BOX_WIDTH,
                BOX_HEIGHT,
                middle,
                place.y + 18,
                room,
                place.y + 34,
                HOLDS.get(room).getFirst(),
                place.y + 48,
                HOLDS.get(room).getLast());
    }

    private static String mark(double x, double y, String steps, String colour) {
        int width = 12 + 7 * steps.length();
        return String.format(Locale.ROOT, """
            <rect x="%.0f" y="%.0f" width="%d" height="18" rx="9" style="fill:var(--card);stroke:%s" stroke-width="1.6"/>
            <text x="%.0f" y="%.0f" text-anchor="middle" style="fill:%4$s;font-size:11px;font-weight:600">%s</text>
            """, x, y, width, colour, x + width / 2.0, y + 13, steps);
    }

    @Test
    void thePictureHasTheTableAndTheWalks() throws IOException {
        Map<String, Set<String>> imports = imports();
        SequencedMap<String, Place> places = places(imports);
        var drawn = new StringBuilder();
        places.forEach((room, from) -> imports.get(room).stream()
                .filter(below -> !isIndirect(imports, room, below))
                .forEach(below -> drawn.append(line(from, places.get(below)))));
        places.forEach((room, place) -> drawn.append(box(room, place)));
        double legend = places.lastEntry().getValue().y + BOX_HEIGHT + 34;
        double offset = 0;
        for (Map.Entry<String, String> walk : WALKS.entrySet()) {
            double left = offset;
            steps(walk.getKey()).forEach((room, steps) -> {
                Place place = places.get(room);
                double x = left == 0
                        ? place.x - 6
                        : place.x + BOX_WIDTH - 6 - 6 * String.join(" ", steps).length();
                drawn.append(mark(x, place.y - 13, String.join(" ", steps), walk.getValue()));
            });
            drawn.append(mark(20 + 5 * left, legend - 13, "1 2", walk.getValue()))
                    .append(String.format(
                            Locale.ROOT,
                            "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
                            60 + 5 * left,
                            legend,
                            walk.getKey()));
            offset += 66;
        }
        drawn.append(String.format(
                Locale.ROOT,
                "<text x=\"640\" y=\"%.0f\">A line: may import, if no third room leads there.</text>",
                legend));
        DocumentPicture.compare(
                "rooms",
                WIDTH,
                (int) legend + 14,
                1,
                "The rooms of the source, each above those that it imports, with the steps of the two walks",
                drawn.toString());
    }
}
