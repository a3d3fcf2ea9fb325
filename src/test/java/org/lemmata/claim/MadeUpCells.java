package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.track.CellRecord;

/** Cells of figures whose measurements are made up. */
public final class MadeUpCells {

    private static final CellRecord.Run RUN =
            new CellRecord.Run(1, 1, Map.of("commit", "0123456789abcdef", "jdk", "25", "simd", "512 bits"));

    /** Sweeps that were read before, because many tests use them. */
    private static final Map<Budget, Map<FigureGrid, Sweep>> SWEEPS =
            Map.of(Budget.STANDARD, new ConcurrentHashMap<>(), Budget.MEDIUM, new ConcurrentHashMap<>());

    private MadeUpCells() {}

    private static Sweep sweep(FigureGrid grid, Budget size) {
        return Objects.requireNonNull(SWEEPS.get(size)).computeIfAbsent(grid, key -> {
            try {
                return key.sweep(size);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The record of a finished cell. */
    public static CellRecord done(Cell cell, List<Measurement> measured) {
        return new CellRecord(
                cell.id(),
                cell.trial(),
                cell.axes(),
                cell.seed(),
                cell.settings(),
                CellRecord.Status.DONE,
                null,
                measured,
                RUN);
    }

    /** All cells of the reduced sizes. */
    public static FigureCells of(FigureGrid grid, Function<Cell, List<Measurement>> measured) {
        return of(grid, Budget.STANDARD, measured);
    }

    /** All cells of the standard or the medium size. */
    public static FigureCells of(FigureGrid grid, Budget size, Function<Cell, List<Measurement>> measured) {
        Sweep sweep = sweep(grid, size);
        return new FigureCells(
                size,
                sweep,
                sweep.cells().stream()
                        .map(cell -> done(cell, measured.apply(cell)))
                        .toList());
    }

    /** Judges a claim from made-up cells; its closed forms run on scalar kernels. */
    public static Finding judge(FigureClaim claim, Function<Cell, List<Measurement>> measured) {
        return claim.judge(of(claim.grid(), measured), Computation.unrounded(Kernels.scalar()));
    }

    /** Judges a claim from made-up cells, and checks the outcome. */
    public static Finding check(FigureClaim claim, Function<Cell, List<Measurement>> measured, Outcome expected) {
        Finding finding = judge(claim, measured);
        assertThat(finding.verdict().outcome())
                .as(claim.id() + ": " + finding.verdict().reason())
                .isEqualTo(expected);
        assertThat(finding.measured()).isNotEmpty();
        return finding;
    }

    /** The only measurement of a diverged run. */
    public static final List<Measurement> DIVERGED =
            List.of(new Measurement("diverged", 1, "runs", Interval.exact(1), 1, null));

    /** The share nearest to a rate, from 0 to 1, of {@code n} cases. */
    public static Measurement share(String name, int n, double rate) {
        return Measurement.share(name, n, (int) Math.round(n * Math.clamp(rate, 0, 1)));
    }

    public static int integer(Cell cell, String setting) {
        return (int) Double.parseDouble(cell.settings().getOrDefault(setting, ""));
    }

    public static boolean has(Cell cell, String setting, String value) {
        return value.equals(cell.settings().get(setting));
    }
}
