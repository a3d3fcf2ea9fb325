package org.lemmata.task.length;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The lengths that the sequences of a task have, least and greatest included; a length is drawn uniformly.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), section 5, which trains on lengths T &lt;= N and leaves the law of T open.
 *
 * @param least at least 1
 * @param greatest N, at least {@code least}
 */
public record LengthRange(int least, int greatest) {

    /** Of a sequence; a batch of any such is checked where it is made. */
    public static final int MAX_LENGTH = 1 << 24;

    public LengthRange {
        if (greatest < 1 || greatest > MAX_LENGTH) {
            throw new IllegalArgumentException("length: expected 1 to " + MAX_LENGTH + ", got " + greatest);
        }
        if (least < 1 || least > greatest) {
            throw new IllegalArgumentException("minLength: expected 1 to the length " + greatest + ", got " + least);
        }
    }

    /** One length alone, if there are such sequences. */
    static Optional<LengthRange> ifExactly(int length) {
        return length < 1 || length > MAX_LENGTH ? Optional.empty() : Optional.of(new LengthRange(length, length));
    }

    boolean contains(int length) {
        return length >= least && length <= greatest;
    }

    /**
     * Draws a length up to {@code most}.
     *
     * @throws IllegalArgumentException if {@code most} is not in the range
     */
    int draw(RandomGenerator random, int most) {
        if (!contains(most)) {
            throw new IllegalArgumentException("length: expected " + least + " to " + greatest + ", got " + most);
        }
        return random.nextInt(least, most + 1);
    }
}
