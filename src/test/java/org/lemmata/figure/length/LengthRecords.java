package org.lemmata.figure.length;

import static org.lemmata.claim.MadeUpCells.integer;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;

/** Made-up records of figures 1 to 3. */
final class LengthRecords {

    private LengthRecords() {}

    /** A loss by omega or p, training length and test length. */
    interface Loss {
        double of(int parameter, int length, int testLength);

        /** The loss of a seed; {@code deviation} ranges from -1 to 1 over the seeds. */
        default double of(int parameter, int length, int testLength, double deviation) {
            return of(parameter, length, testLength);
        }
    }

    /** Losses with a different power of Delta or omega for each seed, from 0 to 2. */
    static final class PowersApart implements Loss {
        @Override
        public double of(int parameter, int length, int testLength) {
            return asThePaperSays(parameter, length, testLength);
        }

        @Override
        public double of(int parameter, int length, int testLength, double deviation) {
            return of(parameter, length, testLength) * Math.pow(parameter, 2 * deviation);
        }
    }

    /** Means and deviations of weights on relevant positions and on others, by name and training length. */
    interface Weight {
        double of(String name, int length);
    }

    /** Losses as in the paper: flat in the test length, (N / parameter)^-2, and 1e-2 at N = 2 parameter. */
    static double asThePaperSays(int parameter, int length, int testLength) {
        return 0.04 * Math.pow((double) length / parameter, -2) * (1 - 0.5 / testLength);
    }

    static double weightAsThePaperSays(String name, int length) {
        return switch (name) {
            case "relevant" -> 0.0620;
            case "relevantDeviation" -> 0.002;
            case "others" -> 0.01 / length;
            default -> 0.001;
        };
    }

    /**
     * Judges a claim. The last losses and the weights of seeds differ from their means by up to a factor of 1 +
     * {@code spread}. A loss of NaN stands for a diverged run.
     */
    static Finding judge(FigureClaim claim, Loss losses, Weight weights, double spread) {
        return MadeUpCells.judge(claim, cell -> measured(cell, losses, weights, spread));
    }

    static List<Measurement> measured(Cell cell, Loss losses, Weight weights, double spread) {
        boolean first = "simple-task".equals(cell.settings().get("task.name"));
        int parameter = integer(cell, first ? "task.settings.omega" : "task.settings.period");
        int length = integer(cell, "task.settings.length");
        double deviation = (cell.seed() - 4.5) / 3.5;
        double factor = Math.exp(deviation * Math.log1p(spread));
        var measured = new ArrayList<Measurement>();
        for (int testLength : testLengths(cell)) {
            double loss = losses.of(parameter, length, testLength, deviation);
            if (!Double.isNaN(loss)) {
                measured.add(measurement("lengths." + testLength, testLength < 1024 ? loss : loss * factor));
            } else {
                measured.addAll(MadeUpCells.DIVERGED);
            }
        }
        for (String name : List.of("relevant", "relevantDeviation", "others", "othersDeviation")) {
            measured.add(measurement("attention.0.0." + name, weights.of(name, length) * factor));
        }
        return measured;
    }

    static List<Integer> testLengths(Cell cell) {
        return cell.settings().entrySet().stream()
                .filter(setting -> setting.getKey().startsWith("evaluation.lengths."))
                .map(setting -> Integer.valueOf(setting.getValue()))
                .toList();
    }

    private static Measurement measurement(String name, double value) {
        return new Measurement(name, value, "", Interval.exact(value), 1024, null);
    }

    /** The measurement with a name. */
    static Measurement measured(Finding finding, String name) {
        return finding.measured().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
