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
 * The forks of a run and their order. Each round has one fork of every cell (with two sides, two forks per side), so
 * that the forks of a cell are spread over the whole run. If possible, two forks that are compared run simultaneously,
 * as a duet. If a cell of two sides cannot run in duets, a round runs it as A B B A, so that a machine that gradually
 * slows down affects both sides equally.
 *
 * @param sides one side, or two sides with the same number of cells
 * @param against the second side, in the user's words; empty for a run of one side
 * @param duets the partners of the cells of the first side that run in duets. With two sides, the partner is the index
 *     of a cell of the second side. With one side, it is the index of a reference, which runs only in duets.
 * @param untilDecided whether a cell stops as soon as it has its verdicts
 */
public record BenchmarkPlan(
        List<BenchmarkSide> sides, String against, SortedMap<Integer, Integer> duets, boolean untilDecided) {

    /** The fork number of a trial: a fork that runs alone before all others and counts in no ratio. */
    static final int TRIAL = Integer.MAX_VALUE;

    /** The value of {@code against} for a comparison of the first side with itself. */
    public static final String ITSELF = "itself";

    private static final int MOST_NAMES = 3;

    private static final double START_SECONDS = 2;

    /** One fork: the indices of side, cell and fork, each from 0. */
    public record Step(int side, int cell, int fork) {}

    public record Turn(List<Step> forks, boolean swapped, Step own) {

        boolean isDuet() {
            return forks.size() == 2;
        }
    }

    public BenchmarkPlan {
        sides = List.copyOf(sides);
        duets = Collections.unmodifiableSortedMap(new TreeMap<>(duets));
        Refuse.when(sides.isEmpty() || sides.size() > 2, "sides", "one or two", sides.size());
        int cells = sides.getFirst().cells().size();
        int others = sides.getLast().cells().size();
        Refuse.when(cells != others, "sides", "as many cells on both", cells + " and " + others);
    }

    public BenchmarkPlan(List<BenchmarkSide> sides, String against) {
        this(sides, against, Collections.emptySortedMap());
    }

    BenchmarkPlan(List<BenchmarkSide> sides, String against, SortedMap<Integer, Integer> duets) {
        this(sides, against, duets, false);
    }

    /** A copy with {@code untilDecided} set to {@code until}. */
    public BenchmarkPlan untilDecided(boolean until) {
        return new BenchmarkPlan(sides, against, duets, until);
    }

    public BenchmarkCell cell(Step step) {
        return sides.get(step.side).cells().get(step.cell);
    }

    /**
     * A short name of a side: the title of its jar, or its benchmarks if other benchmarks of the same jar are compared.
     */
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

    /** Whether the second side is another build of the same code, so that no benchmark can have become slower. */
    public boolean sameCode() throws IOException {
        BenchmarkJar a = sides.getFirst().jar();
        BenchmarkJar b = sides.getLast().jar();
        return !against.equals(ITSELF)
                && sides.getFirst().cells().equals(sides.getLast().cells())
                && a.hash().equals(b.hash());
    }

    /**
     * The trials that run before the duets of two sides. They show whether a benchmark starts threads, and its score if
     * it runs alone and unpinned. If both sides are equal, one trial per cell is enough.
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

    /** A copy in which the forks of {@code cells} run one after the other. */
    BenchmarkPlan inTurn(Set<Integer> cells) {
        SortedMap<Integer, Integer> others = new TreeMap<>(duets);
        others.keySet().removeAll(cells);
        return new BenchmarkPlan(sides, against, others, untilDecided);
    }

    /** The largest number of forks of a cell, not counting references. */
    private int rounds() {
        List<BenchmarkCell> cells = sides.getFirst().cells();
        return IntStream.range(0, cells.size())
                .filter(cell -> sides.size() == 2 || !duets.containsValue(cell))
                .map(cell -> cells.get(cell).forks())
                .max()
                .orElse(0);
    }

    /** The maximum number of looks at the verdicts, one per round from the second on; 0 if no cell may stop early. */
    int looks() {
        return untilDecided ? Math.max(1, Math.ceilDiv(rounds(), sides.size()) - 1) : 0;
    }

    /** The minimum time of {@code some} turns in seconds, including the start of their JVMs. */
    double seconds(List<Turn> some) throws IOException {
        BenchmarkList list = sides.getFirst().jar().list();
        double seconds = 0;
        for (Turn turn : some) {
            seconds += START_SECONDS + cell(turn.own).seconds(list);
        }
        return seconds;
    }

    public List<Turn> turns() {
        List<BenchmarkCell> cells = sides.getFirst().cells();
        int rounds = rounds();
        int[] taken = new int[cells.size()];
        var turns = new ArrayList<Turn>();
        // With two sides, each cell runs two forks per side in a row: A B B A, or two duets.
        int ofRound = sides.size();
        for (int first = 0; first < rounds; first += ofRound) {
            for (int cell = 0; cell < cells.size(); cell++) {
                boolean alone = sides.size() == 2 || !duets.containsValue(cell);
                int end = alone ? Math.min(first + ofRound, cells.get(cell).forks()) : first;
                for (int fork = first; fork < end; fork++) {
                    addTurns(turns, cell, fork, taken);
                }
            }
        }
        return turns;
    }

    /** @param taken for each reference, the number of forks that already have a turn */
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
        // The cores change after every pair, the start order after every second pair, so that every combination occurs.
        boolean swapped = fork % 2 == 1;
        turns.add(new Turn(fork / 2 % 2 == 0 ? List.of(own, other) : List.of(other, own), swapped, own));
    }

    /** The place of a fork in a duet, 0 or 1. It decides on which core the fork starts. */
    int place(Turn turn, Step step) {
        boolean second = sides.size() == 2 ? step.side == 1 : duets.get(step.cell) == null;
        return second == turn.swapped ? 0 : 1;
    }

    /** A hash of everything that is measured. If two plans have equal hashes, their forks can be combined. */
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
