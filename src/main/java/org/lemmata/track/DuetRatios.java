package org.lemmata.track;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Ratios of two rows, iteration by iteration, of the forks that ran at the same time.
 *
 * <p>Where forks swap their cores from iteration to iteration, a ratio is the geometric mean of two iterations next to
 * each other, one on each core: what slows one core for longer than that cancels.
 *
 * @param pairs how many times as fast the first row was, a list for each pair of forks with an iteration that counts
 * @param leftOut iterations that did not run together for nine tenths of their time, or whose neighbor on the other
 *     core did not
 * @param iterations all of these pairs, those left out included
 */
record DuetRatios(List<List<Double>> pairs, int leftOut, int iterations) {

    /** No forks ran at the same time. */
    static final DuetRatios NONE = new DuetRatios(List.of(), 0, 0);

    private static final double SHARED = 0.9;

    DuetRatios {
        pairs = pairs.stream().map(List::copyOf).toList();
    }

    /**
     * One of the two rows.
     *
     * @param speeds [fork][iteration], greater is faster
     * @param operations how long an operation took, in microseconds, likewise
     * @param runs the circumstances of its forks, in their order; empty if they are not known
     */
    record Side(List<List<Double>> speeds, List<List<Double>> operations, List<ForkRun> runs) {

        private Fork fork(int place) {
            return new Fork(
                    speeds.get(place), operations.get(place), runs.get(place).iterations());
        }
    }

    /** One fork of a side, its iterations in the order of time. */
    private record Fork(List<Double> speeds, List<Double> operations, List<ForkRun.Span> spans) {

        int iterations() {
            return Math.min(speeds.size(), spans.size());
        }
    }

    static DuetRatios of(Side over, Side under) {
        var pairs = new ArrayList<List<Double>>();
        int used = 0;
        int iterations = 0;
        for (int i = 0; i < Math.min(over.runs.size(), over.speeds.size()); i++) {
            int beside = beside(over.runs.get(i), under.runs);
            if (beside < 0 || beside >= under.speeds.size()) {
                continue;
            }
            Fork fork = over.fork(i);
            Fork other = under.fork(beside);
            int length = Math.min(fork.iterations(), other.iterations());
            var ratios = new ArrayList<Double>();
            // Of an odd number, the last one has no neighbor.
            int step =
                    length > 1 && fork.spans.get(0).core() != fork.spans.get(1).core() ? 2 : 1;
            for (int j = 0; j + step <= length; j += step) {
                boolean together = true;
                double product = 1;
                for (int k = j; k < j + step; k++) {
                    together &= ranTogether(fork, other, k);
                    product *= ratio(fork, other, k);
                }
                if (together) {
                    ratios.add(step == 1 ? product : Math.sqrt(product));
                }
            }
            used += step * ratios.size();
            iterations += length - length % step;
            if (!ratios.isEmpty()) {
                pairs.add(ratios);
            }
        }
        return new DuetRatios(pairs, iterations - used, iterations);
    }

    /**
     * Of two different operations: how many times as fast the first was where nothing disturbed either, the fastest
     * tenths of the iterations of each pair of forks. What shares a core with them, as another virtual machine does,
     * slows one operation by half and another one not at all, so that iterations that ran together differ, too.
     */
    static List<Double> ofFastest(Side over, Side under) {
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < Math.min(over.runs.size(), over.speeds.size()); i++) {
            int beside = beside(over.runs.get(i), under.runs);
            if (beside >= 0 && beside < under.speeds.size()) {
                ratios.add(fastest(over.speeds.get(i)) / fastest(under.speeds.get(beside)));
            }
        }
        return ratios;
    }

    /** The geometric mean of the fastest tenth, at least one. */
    static double fastest(List<Double> speeds) {
        return Math.exp(speeds.stream()
                .sorted(Comparator.reverseOrder())
                .limit(Math.max(1, Math.round(speeds.size() / 10.0)))
                .mapToDouble(Math::log)
                .average()
                .orElseThrow());
    }

    /** The one fork that was started with it; -1 if none was. */
    private static int beside(ForkRun run, List<ForkRun> others) {
        for (int i = 0; i < others.size(); i++) {
            if (!run.iterations().isEmpty()
                    && !others.get(i).iterations().isEmpty()
                    && run.start().equals(others.get(i).start())) {
                return i;
            }
        }
        return -1;
    }

    /** Of the time in which either had its core: another program beside one of them is no slow-down. */
    private static double ratio(Fork fork, Fork other, int iteration) {
        double shares =
                fork.spans.get(iteration).share() / other.spans.get(iteration).share();
        return fork.speeds.get(iteration) / other.speeds.get(iteration) / shares;
    }

    /**
     * For nine tenths of the longer iteration, its last operation aside, which begins in time and may be a long one;
     * and of the shorter.
     */
    private static boolean ranTogether(Fork fork, Fork other, int iteration) {
        ForkRun.Span span = fork.spans.get(iteration);
        ForkRun.Span beside = other.spans.get(iteration);
        double longer = Math.max(span.length(), beside.length());
        double operation = (span.length() >= beside.length() ? fork : other).operations.get(iteration);
        double shorter = Math.min(span.length(), beside.length());
        return span.sharedWith(beside) >= SHARED * Math.max(shorter, longer - operation);
    }
}
