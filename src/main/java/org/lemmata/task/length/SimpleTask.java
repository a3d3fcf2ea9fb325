package org.lemmata.task.length;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * f*(x) = sigma((c_0 - c_1) / (c_0 + c_1)), where c_s is the number of symbols s of {0, 1, 2} in x, and 0/0 := 0. The
 * answer is at the last position.
 *
 * <p>The symbols of a sequence are independent with probabilities p, and p is uniform on the simplex, so for a length
 * T, all (T + 1)(T + 2) / 2 triples of counts are equally likely. Lengths are uniform in a range.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), section 5 and appendix B; the printed definition lacks the minus sign, and
 * the definition of 0/0 is ours.
 */
public final class SimpleTask extends SymbolTask {

    public static final String NAME = "simple-task";

    public static final Source SOURCE = new Source(Paper.LENGTH, "section 5 and appendix B");

    private static final Vocabulary SYMBOLS = new Vocabulary(List.of("0", "1", "2"));

    private final DoubleUnaryOperator link;

    /** @param link sigma, for z in [-1, 1] */
    public SimpleTask(DoubleUnaryOperator link, LengthRange lengths) {
        super(NAME, SYMBOLS, lengths);
        this.link = link;
    }

    /** sigma(z) = sin(omega z), the link of the paper's experiments. */
    public static DoubleUnaryOperator sine(double omega) {
        Refuse.when(!Double.isFinite(omega), "omega", "a finite number", omega);
        return z -> Math.sin(omega * z);
    }

    @Override
    Task ofLengths(LengthRange others) {
        return new SimpleTask(link, others);
    }

    @Override
    public Example sample(RandomGenerator random, int length) {
        int[] ids = new int[lengths().draw(random, length)];
        // The three gaps between two uniform numbers and the ends of [0, 1] are uniform on the simplex.
        double a = random.nextDouble();
        double b = random.nextDouble();
        double ofZero = Math.min(a, b);
        double belowTwo = Math.max(a, b);
        for (int t = 0; t < ids.length; t++) {
            double u = random.nextDouble();
            ids[t] = u < ofZero ? 0 : u < belowTwo ? 1 : 2;
        }
        return Example.regression(ids, (float) value(ids));
    }

    /** f*(x). */
    @Override
    public double value(int... ids) {
        requireIds(ids);
        int difference = 0;
        int attended = 0;
        for (int id : ids) {
            difference += id == 0 ? 1 : id == 1 ? -1 : 0;
            attended += id == 2 ? 0 : 1;
        }
        return link.applyAsDouble(attended == 0 ? 0 : (double) difference / attended);
    }

    /** The positions of the symbols 0 and 1. */
    @Override
    public IntPredicate relevantPositions(int... ids) {
        return position -> ids[position] != 2;
    }
}
