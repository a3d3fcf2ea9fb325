package org.lemmata.task.length;

import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * The range of lengths of a task's sequences, including both ends. Lengths are drawn uniformly.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), section 5, where models are trained on lengths T &lt;= N with an unspecified
 * distribution of T.
 *
 * @param minimum at least 1
 * @param maximum N, at least {@code minimum}
 */
public record LengthRange(int minimum, int maximum) {

    /** The maximum length of a sequence. The constructor of a batch checks the total length. */
    public static final int MAX_LENGTH = 1 << 24;

    public LengthRange {
        Refuse.outside("length", maximum, 1, MAX_LENGTH);
        Refuse.when(minimum < 1 || minimum > maximum, "minLength", "1 to the length " + maximum, minimum);
    }

    int draw(RandomGenerator random, int most) {
        Refuse.outside("length", most, minimum, maximum);
        return random.nextInt(minimum, most + 1);
    }
}
