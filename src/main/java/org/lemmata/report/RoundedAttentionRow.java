package org.lemmata.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.lemmata.track.BenchmarkRow;

/** A row of the benchmark of rounded attention; a missing parameter is the empty text. */
record RoundedAttentionRow(BenchmarkRow row) {

    static final String BENCHMARK = "RoundedAttentionBenchmark";

    private static final String UNROUNDED = "none";
    private static final String NEAREST_EVEN = "TiesToEven";
    private static final String TOKENS = "tokens";

    /** The single sites of rounding in attention; other values of the parameter mean several sites. */
    private static final List<String> SITES = List.of("inputs", "scores", "exponentials", "sums", "outputs");

    /** A measured quantity other than speed: its counter, and the head of its column. */
    enum Quantity {
        MAX_ERROR("maxError", "maximum error"),
        MEAN_ERROR("meanError", "mean error"),
        MAX_ULPS("maxUlps", "maximum, ulps"),
        MEAN_ULPS("meanUlps", "mean, ulps"),
        CHANGED_ARGMAX("changedArgmax", "changed argmax");

        private final String counter;
        private final String title;

        Quantity(String counter, String title) {
            this.counter = counter;
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    /**
     * The rows of the benchmark, with one unrounded row per size, because mode and site have no effect without
     * rounding.
     */
    static List<RoundedAttentionRow> of(List<BenchmarkRow> rows) {
        var unrounded = new HashSet<SequencedMap<String, String>>();
        var kept = new ArrayList<RoundedAttentionRow>();
        for (BenchmarkRow row : rows) {
            if (!row.simpleClass().equals(BENCHMARK) || !row.params().containsKey("format")) {
                continue;
            }
            var read = new RoundedAttentionRow(row);
            if (Double.isFinite(read.throughput()) && (!read.isUnrounded() || unrounded.add(read.size()))) {
                kept.add(read);
            }
        }
        return List.copyOf(kept);
    }

    /** The method, JMH's mode, and all parameters except the mode and the site of rounding. */
    private SequencedMap<String, String> size() {
        var size = new LinkedHashMap<>(row.params());
        size.remove("mode");
        size.remove("site");
        size.put("method", row.method() + " " + row.mode());
        return size;
    }

    String format() {
        return parameter("format");
    }

    String mode() {
        return parameter("mode");
    }

    String site() {
        return parameter("site");
    }

    /** The sequence length; 0 if the row has no such parameter. */
    int length() {
        String length = parameter("length");
        return length.matches("\\d{1,9}") ? Integer.parseInt(length) : 0;
    }

    private String parameter(String name) {
        return row.params().getOrDefault(name, "");
    }

    boolean isUnrounded() {
        return format().equals(UNROUNDED);
    }

    boolean isOneSite() {
        return !isUnrounded() && SITES.contains(site());
    }

    /**
     * The displayed name: the format, then the mode and the site unless they are the defaults (nearest even, tensors).
     */
    String name() {
        if (isUnrounded()) {
            return "unrounded";
        }
        return format()
                + (List.of("", NEAREST_EVEN).contains(mode()) ? "" : " " + mode())
                + (List.of("", "tensors").contains(site()) ? "" : ", " + site());
    }

    /** Tokens per second, or JMH's score if tokens are not counted. */
    double throughput() {
        return row.rate(TOKENS).map(BenchmarkRow.Metric::score).orElse(row.score());
    }

    boolean countsTokens() {
        return row.rate(TOKENS).isPresent();
    }

    Optional<Double> measured(Quantity quantity) {
        return Optional.ofNullable(row.secondary().get(quantity.counter)).map(BenchmarkRow.Metric::score);
    }
}
