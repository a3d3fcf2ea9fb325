package org.lemmata.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Which forks run, and in which order: round after round over all cells, so that the forks of each are spread over the
 * whole run. Of two sides, a round has A B B A for each cell, so that a machine which slowly becomes slower slows both
 * alike.
 *
 * @param sides one, or two with as many cells
 * @param against what the second side is, in the user's words; empty where there is one
 */
public record BenchmarkPlan(List<BenchmarkSide> sides, String against) {

    /** Fork {@code fork} of cell {@code cell} of side {@code side}, all from 0. */
    public record Step(int side, int cell, int fork) {}

    public BenchmarkPlan {
        sides = List.copyOf(sides);
        if (sides.isEmpty() || sides.size() > 2) {
            throw new IllegalArgumentException("sides: expected one or two, got " + sides.size());
        }
        if (sides.getFirst().cells().size() != sides.getLast().cells().size()) {
            throw new IllegalArgumentException("sides: expected as many cells on both, got "
                    + sides.getFirst().cells().size() + " and "
                    + sides.getLast().cells().size());
        }
    }

    public BenchmarkCell cell(Step step) {
        return sides.get(step.side).cells().get(step.cell);
    }

    /** All forks, in their order. */
    public List<Step> steps() {
        List<BenchmarkCell> cells = sides.getFirst().cells();
        int rounds = cells.stream().mapToInt(BenchmarkCell::forks).max().orElse(0);
        var steps = new ArrayList<Step>();
        // Two sides: the two halves A B and B A of a round run one after the other.
        int ofRound = sides.size();
        for (int first = 0; first < rounds; first += ofRound) {
            for (int cell = 0; cell < cells.size(); cell++) {
                for (int fork = first;
                        fork < Math.min(first + ofRound, cells.get(cell).forks());
                        fork++) {
                    for (int i = 0; i < sides.size(); i++) {
                        steps.add(new Step(fork % 2 == 0 ? i : sides.size() - 1 - i, cell, fork));
                    }
                }
            }
        }
        return steps;
    }

    /** A hash of what is measured: forks of plans with one hash belong together. */
    String hash() throws IOException {
        MessageDigest digest = BenchmarkJar.sha256();
        var text = new StringBuilder(against);
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
        digest.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest());
    }
}
