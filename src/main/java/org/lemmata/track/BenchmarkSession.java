package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * How the forks of one file of results were run.
 *
 * @param id the same for the two sides of one run whose forks ran beside each other: row i of one ran beside row i of
 *     the other, and fork j of it beside fork j
 * @param side "A" or "B"; "A" where there is one side
 * @param title what this side is, in a few words: "the working tree (16ec9eb5)"; empty of an older file
 * @param against what the other side is: a jar, a commit, a benchmark, "itself"; empty where there is one side
 * @param jar the hash of the classes that ran
 * @param looks how many times the run was to look whether a row was decided, from its second fork on; 0 where every row
 *     has all of its forks
 * @param forks when each fork ran and what else the machine did, in the order of the run
 * @param cut of a run that {@code --limit-minutes} ended: "cut by --limit-minutes after 4 of 20 forks"; empty of a
 *     whole run
 * @param unmeasured benchmarks that were selected and have no rows
 * @param trials by benchmark and parameters, of rows that were to run as duets: what a fork alone told
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
     * @param score the fastest of its iterations
     * @param others the share of processor time that threads other than JMH's worker had, the JVM's own aside
     */
    public record Trial(double score, double others) {

        /** From here on, a core for each side would be one for several threads. */
        private static final double SHARE = 0.05;

        public boolean hasThreads() {
            return others > SHARE;
        }

        /** "48%". */
        public String percent() {
            return Math.round(100 * others) + "%";
        }
    }

    /**
     * A benchmark without rows.
     *
     * @param params in JMH's order
     * @param verdict that a comparison of the two sides gives
     * @param why it was not measured
     */
    public record Unmeasured(
            String benchmark, SequencedMap<String, String> params, ComparisonRow.Change verdict, String why) {}

    public BenchmarkSession {
        // Older records have no title, and say nothing of what was not measured.
        title = Objects.requireNonNullElse(title, "");
        cut = Objects.requireNonNullElse(cut, "");
        unmeasured = List.copyOf(Objects.requireNonNullElse(unmeasured, List.of()));
        forks = List.copyOf(forks);
        trials = Map.copyOf(Objects.requireNonNullElse(trials, Map.of()));
    }

    /**
     * The circumstances of a row's forks, in their order. A row may stand several times in the results, each time with
     * forks of its own.
     *
     * @param rows of the results of this session
     * @param place of the row
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
