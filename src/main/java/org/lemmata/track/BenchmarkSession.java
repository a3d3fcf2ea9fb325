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
 * @param id identifies the run. If both sides have the same id, row i and fork j of one side were measured together
 *     with row i and fork j of the other
 * @param side "A" or "B"; "A" for a run of one side
 * @param title a few words that describe this side, such as "the working tree (16ec9eb5)"; empty in older files
 * @param against side B: a jar, a commit, a benchmark or "itself"; empty for a run of one side
 * @param jar the hash of the classes that ran
 * @param looks the maximum number of looks (checks for verdicts); 0 if rows could not stop early. The first look
 *     follows the second round; a round has one fork of each row or, with two sides, two forks per side
 * @param forks the time and the load of each fork, sorted by row and fork
 * @param cut the reason if {@code --limit-minutes} ended the run, such as "cut by --limit-minutes after 4 of 20 forks";
 *     otherwise empty
 * @param unmeasured the selected benchmarks that side B lacks or that the time limit left out
 * @param trials the trials of rows that were planned as duets, by benchmark and parameters
 */
public record BenchmarkSession(
        String id,
        String side,
        @JsonProperty String title,
        String against,
        String jar,
        @JsonProperty int looks,
        List<ForkRun> forks,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) String cut,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Unmeasured> unmeasured,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Trial> trials) {

    /**
     * A fork that ran alone and unpinned.
     *
     * @param score the score of its fastest iteration
     * @param others the share of processor time used by threads other than JMH's worker and the JVM's own threads
     */
    public record Trial(double score, double others) {

        /** Above this share, a benchmark needs more than the single core that a duet gives it. */
        private static final double SHARE = 0.05;

        public boolean hasThreads() {
            return others > SHARE;
        }

        public String percent() {
            return Math.round(100 * others) + "%";
        }
    }

    /**
     * A benchmark that was not measured.
     *
     * @param params the parameters, in JMH's order
     * @param verdict the verdict in a comparison of the two sides
     * @param why the reason
     */
    public record Unmeasured(
            String benchmark, SequencedMap<String, String> params, ComparisonRow.Change verdict, String why) {}

    public BenchmarkSession {
        // Older records have no title, and empty values of the other three fields are not written.
        title = Objects.requireNonNullElse(title, "");
        cut = Objects.requireNonNullElse(cut, "");
        unmeasured = List.copyOf(Objects.requireNonNullElse(unmeasured, List.of()));
        forks = List.copyOf(forks);
        trials = Map.copyOf(Objects.requireNonNullElse(trials, Map.of()));
    }

    /**
     * The circumstances of a row's forks, in order. If the results contain a row several times, each occurrence has its
     * own forks.
     *
     * @param rows the rows of this session
     * @param place the index of the row in {@code rows}
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
