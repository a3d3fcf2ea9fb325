package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * How the forks in one results file were run.
 *
 * @param id identifies the run. If both sides have the same id, row i of one was measured with row i of the other, and
 *     fork j with fork j.
 * @param side "A" or "B"; "A" for a run of one side
 * @param title this side in a few words, such as "the working tree (16ec9eb5)"; empty in older files
 * @param against the other side: a jar, a commit, a benchmark or "itself"; empty for a run of one side
 * @param jar the hash of the classes that ran
 * @param looks the maximum number of checks for a verdict; 0 if every row ran all forks. The first check is after two
 *     rounds; a round has one fork of each row, or two per side
 * @param forks when each fork ran and under which load, in order
 * @param cut the reason if {@code --limit-minutes} ended the run, such as "cut by --limit-minutes after 4 of 20 forks";
 *     otherwise empty
 * @param unmeasured the selected benchmarks that have no rows
 * @param trials the trial of each row that was planned as a duet, by benchmark and parameters
 */
public record BenchmarkSession(
        String id,
        String side,
        @JsonProperty String title,
        String against,
        String jar,
        @JsonProperty int looks,
        List<ForkRun> forks,

        @JsonProperty @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String cut,

        @JsonProperty @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Unmeasured> unmeasured,

        @JsonProperty @JsonInclude(JsonInclude.Include.NON_EMPTY)
        Map<String, Trial> trials) {

    /**
     * A fork that ran alone and unpinned.
     *
     * @param score its fastest iteration
     * @param others the share of processor time used by threads other than JMH's worker and the JVM's own
     */
    public record Trial(double score, double others) {

        /** From this share on, a benchmark needs more than the one core that a duet gives it. */
        private static final double SHARE = 0.05;

        public boolean hasThreads() {
            return others > SHARE;
        }

        /** The share as text, such as "48%". */
        public String percent() {
            return Math.round(100 * others) + "%";
        }
    }

    /**
     * A benchmark without rows.
     *
     * @param params the parameters, in JMH's order
     * @param verdict its verdict in a comparison of the two sides
     * @param why why it was not measured
     */
    public record Unmeasured(
            String benchmark, SequencedMap<String, String> params, ComparisonRow.Change verdict, String why) {}

    public BenchmarkSession {
        // Older records have no title and no list of unmeasured benchmarks.
        title = Objects.requireNonNullElse(title, "");
        cut = Objects.requireNonNullElse(cut, "");
        unmeasured = List.copyOf(Objects.requireNonNullElse(unmeasured, List.of()));
        forks = List.copyOf(forks);
        trials = Map.copyOf(Objects.requireNonNullElse(trials, Map.of()));
    }

    /**
     * The circumstances of a row's forks, in order. Results may contain a row several times, each time with other
     * forks.
     *
     * @param rows the results of this session
     * @param place the index of the row
     */
    List<ForkRun> runs(List<BenchmarkRow> rows, int place) {
        BenchmarkRow row = rows.get(place);
        int before = rows.subList(0, place).stream()
                .filter(other -> other.cell().equals(row.cell()) && other.mode().equals(row.mode()))
                .mapToInt(other -> other.samples().size())
                .sum();
        return forks.stream()
                .filter(fork -> fork.row().equals(row.cell()))
                .skip(before)
                .limit(row.samples().size())
                .toList();
    }
}
