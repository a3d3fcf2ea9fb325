package org.lemmata.kernel;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.kernel.elementary.Species;

/**
 * What a JVM of one lane width tests of a product of options that lanes do not depend on, such as formats and modes: every
 * third case, other ones for each width. Of lengths, tails and blocks every width tests all.
 *
 * <p>Without a stated width it is all of them: in the JVM of the preferred width, and with {@code -Dtest}.
 */
public final class WidthShare {

    private static final int SHARES = 3;

    private WidthShare() {}

    /** Whether case {@code index} is tested here. */
    public static boolean has(int index) {
        return System.getProperty(Species.PROPERTY) == null || index % SHARES == share(Species.FLOAT.length());
    }

    /** 4, 8 and 16 lanes. */
    private static int share(int lanes) {
        return Integer.numberOfTrailingZeros(lanes) % SHARES;
    }

    /** The cases that are tested here. */
    public static <T> List<T> of(List<T> cases) {
        return IntStream.range(0, cases.size())
                .filter(WidthShare::has)
                .mapToObj(cases::get)
                .toList();
    }
}
