package org.lemmata.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Sha256;

/**
 * Which forks run, and in which order: round after round over all cells, so that the forks of each are spread over the
 * whole run. Two forks that are to be compared run at the same time, as a duet; where that cannot be, a round of two
 * sides has A B B A for each cell, so that a machine which slowly becomes slower slows both alike.
 *
 * @param sides one, or two with as many cells
 * @param against what the second side is, in the user's words; empty where there is one
 * @param duets for each cell of the first side whose forks run as duets the cell that they run beside: of the second
 *     side, its place there; of a single side, another cell, which does not run otherwise
 * @param untilDecided whether a cell of one side gets no more forks once its ratios have their verdicts
 */
public record BenchmarkPlan(
        List<BenchmarkSide> sides, String against, SortedMap<Integer, Integer> duets, boolean untilDecided) {

    /** The number of a fork that runs alone, before the others, and counts in no ratio. */
    static final int TRIAL = Integer.MAX_VALUE;

    /** What the second side is where it is the first one again. */
    public static final String ITSELF = "itself";

    private static final int MOST_NAMES = 3;

    /** Fork {@code fork} of cell {@code cell} of side {@code side}, all from 0. */
    public record Step(int side, int cell, int fork) {}

    /**
     * What runs at one time.
     *
     * @param forks one or two, in the order in which they start
     * @param swapped of two sides, whether the second has the first core
     * @param own the fork that others run beside, or that runs alone
     */
    public record Turn(List<Step> forks, boolean swapped, Step own) {

        public Turn {
            forks = List.copyOf(forks);
        }

        boolean isDuet() {
            return forks.size() == 2;
        }
    }

    public BenchmarkPlan {
        sides = List.copyOf(sides);
        duets = Collections.unmodifiableSortedMap(new TreeMap<>(duets));
        Refuse.when(sides.isEmpty() || sides.size() > 2, "sides", "one or two", sides.size());
        if (sides.getFirst().cells().size() != sides.getLast().cells().size()) {
            throw new IllegalArgumentException("sides: expected as many cells on both, got "
                    + sides.getFirst().cells().size() + " and "
                    + sides.getLast().cells().size());
        }
    }

    /** Whose forks all run in turn. */
    public BenchmarkPlan(List<BenchmarkSide> sides, String against) {
        this(sides, against, Collections.emptySortedMap());
    }

    /** Whose cells get all of their forks. */
    BenchmarkPlan(List<BenchmarkSide> sides, String against, SortedMap<Integer, Integer> duets) {
        this(sides, against, duets, false);
    }

    /** The same, whose cells get no more forks than their verdicts take. */
    public BenchmarkPlan untilDecided(boolean until) {
        return new BenchmarkPlan(sides, against, duets, until);
    }

    public BenchmarkCell cell(Step step) {
        return sides.get(step.side).cells().get(step.cell);
    }

    /** What a side is, in a few words: where both have one jar, the benchmarks. */
    public String title(int side) {
        BenchmarkJar jar = sides.get(side).jar();
        if (against.isEmpty()
                || against.equals(ITSELF)
                || !sides.get(1 - side).jar().equals(jar)) {
            return jar.title();
        }
        List<String> names = sides.getFirst().cells().stream()
                .map(BenchmarkCell::shortName)
                .distinct()
                .toList();
        return side > 0
                ? against
                : names.size() <= MOST_NAMES ? String.join(", ", names) : names.size() + " benchmarks";
    }

    /** Whether two sides are builds of the same code: of equal benchmarks, neither can be slower. */
    public boolean sameCode() throws IOException {
        BenchmarkJar a = sides.getFirst().jar();
        BenchmarkJar b = sides.getLast().jar();
        return !against.equals(ITSELF)
                && !a.title().equals(b.title())
                && a.hash().equals(b.hash());
    }

    /**
     * Forks that tell, before two sides run as duets, whether a benchmark has threads of its own, and its score alone
     * and unpinned; one if both sides are the same.
     */
    List<Turn> trials() {
        List<Integer> of = sides.size() == 1
                ? List.of()
                : sides.getFirst().jar().equals(sides.getLast().jar())
                                && sides.getFirst()
                                        .cells()
                                        .equals(sides.getLast().cells())
                        ? List.of(0)
                        : List.of(0, 1);
        return duets.keySet().stream()
                .flatMap(cell -> of.stream().map(side -> new Step(side, cell, TRIAL)))
                .map(step -> new Turn(List.of(step), false, step))
                .toList();
    }

    /** The same plan, in which the forks of some cells run in turn. */
    BenchmarkPlan inTurn(Set<Integer> cells) {
        SortedMap<Integer, Integer> others = new TreeMap<>(duets);
        others.keySet().removeAll(cells);
        return new BenchmarkPlan(sides, against, others, untilDecided);
    }

    /** The greatest number of forks of a cell, references aside. */
    private int rounds() {
        List<BenchmarkCell> cells = sides.getFirst().cells();
        return IntStream.range(0, cells.size())
                .filter(cell -> sides.size() == 2 || !duets.containsValue(cell))
                .map(cell -> cells.get(cell).forks())
                .max()
                .orElse(0);
    }

    /** How many times a run may look whether cells are decided: after each round from the second on. */
    int looks() {
        return untilDecided ? Math.max(1, rounds() - 1) : 0;
    }

    /** All forks, in their order. */
    public List<Turn> turns() {
        List<BenchmarkCell> cells = sides.getFirst().cells();
        int rounds = rounds();
        int[] taken = new int[cells.size()];
        var turns = new ArrayList<Turn>();
        // Two sides: the two halves A B and B A of a round run one after the other.
        int ofRound = sides.size();
        for (int first = 0; first < rounds; first += ofRound) {
            for (int cell = 0; cell < cells.size(); cell++) {
                boolean alone = sides.size() == 2 || !duets.containsValue(cell);
                for (int fork = first;
                        alone
                                && fork
                                        < Math.min(
                                                first + ofRound, cells.get(cell).forks());
                        fork++) {
                    addTurns(turns, cell, fork, taken);
                }
            }
        }
        return turns;
    }

    /** @param taken of each cell that others run beside: how many of its forks have a turn */
    private void addTurns(List<Turn> turns, int cell, int fork, int[] taken) {
        Integer partner = duets.get(cell);
        var own = new Step(0, cell, fork);
        Step other = sides.size() == 2
                ? new Step(1, cell, fork)
                : partner == null ? null : new Step(0, partner, taken[partner]++);
        if (other == null) {
            turns.add(new Turn(List.of(own), false, own));
            return;
        }
        if (partner == null) {
            List<Step> both = fork % 2 == 0 ? List.of(own, other) : List.of(other, own);
            both.forEach(step -> turns.add(new Turn(List.of(step), false, own)));
            return;
        }
        // Cores are swapped from pair to pair, the order of starting at every second: neither goes with the other.
        boolean swapped = fork % 2 == 1;
        turns.add(new Turn(fork / 2 % 2 == 0 ? List.of(own, other) : List.of(other, own), swapped, own));
    }

    /** The place, 0 or 1, of a fork of a duet: which core it has, and whom it waits for. */
    int place(Turn turn, Step step) {
        boolean second = sides.size() == 2 ? step.side == 1 : duets.get(step.cell) == null;
        return second == turn.swapped ? 0 : 1;
    }

    /** A hash of what is measured: forks of plans with one hash belong together. */
    String hash() throws IOException {
        var text = new StringBuilder(against).append(' ').append(duets).append(untilDecided ? " until decided" : "");
        for (BenchmarkSide side : sides) {
            text.append('\n').append(side.name()).append(' ').append(side.jar().hash());
            for (BenchmarkCell cell : side.cells()) {
                text.append('\n')
                        .append(cell.key())
                        .append(' ')
                        .append(cell.options())
                        .append(' ')
                        .append(cell.forks());
            }
        }
        return Sha256.hex(text.toString(), 64);
    }
}
