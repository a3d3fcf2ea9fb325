package org.lemmata.track;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The ratios of two rows, iteration by iteration, from forks that ran simultaneously.
 *
 * <p>If forks swap their cores after each iteration, a ratio is the geometric mean of the ratios of two consecutive
 * iterations, which use different cores. A slow core then affects both sides equally.
 *
 * @param pairs the speed of the first row relative to the second; one list per pair of forks that has ratios
 * @param leftOut the number of iterations that overlap for less than nine tenths of their time, including their
 *     neighbors on the other core
 * @param iterations the number of iterations, including those left out; an iteration without a neighbor does not count
 */
record DuetRatios(List<List<Double>> pairs, int leftOut, int iterations) {

    static final DuetRatios NONE = new DuetRatios(List.of(), 0, 0);

    private static final double SHARED = 0.9;

    /**
     * @param speeds [fork][iteration], greater is faster
     * @param operations the time per operation in microseconds, [fork][iteration]
     * @param runs the circumstances of the forks, in order; empty if unknown
     */
    record Side(List<List<Double>> speeds, List<List<Double>> operations, List<ForkRun> runs) {

        private Fork fork(int place) {
            return new Fork(
                    speeds.get(place), operations.get(place), runs.get(place).iterations());
        }
    }

    /** One fork of a side, with its iterations in order of time. */
    private record Fork(List<Double> speeds, List<Double> operations, List<ForkRun.Span> spans) {

        int iterations() {
            return Math.min(speeds.size(), spans.size());
        }
    }

    boolean isMostlyLeftOut() {
        return 2 * leftOut > iterations;
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
            // If cores are swapped and the number of iterations is odd, the last has no neighbor and is not used.
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
     * The ratios for two different operations, one per pair of forks. A ratio divides the geometric means of the
     * fastest tenth of each fork's iterations, which are the least disturbed. A disturbance, such as another virtual
     * machine on the same core, may slow one operation by half and the other not at all. So comparing simultaneous
     * iterations would not be fair.
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

    /** The geometric mean of the fastest tenth of iterations, at least one. */
    static double fastest(List<Double> speeds) {
        return Math.exp(speeds.stream()
                .sorted(Comparator.reverseOrder())
                .limit(Math.max(1, Math.round(speeds.size() / 10.0)))
                .mapToDouble(Math::log)
                .average()
                .orElseThrow());
    }

    /** The index of the fork that started together with {@code run}; -1 if there is none. */
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

    /** The ratio of speeds, not counting the time in which another process had the core of a fork. */
    private static double ratio(Fork fork, Fork other, int iteration) {
        double shares =
                fork.spans.get(iteration).share() / other.spans.get(iteration).share();
        return fork.speeds.get(iteration) / other.speeds.get(iteration) / shares;
    }

    /**
     * Whether two iterations overlap for nine tenths of each. The last operation of the longer iteration does not
     * count, because it may end late.
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
