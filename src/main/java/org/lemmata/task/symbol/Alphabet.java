package org.lemmata.task.symbol;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;

/**
 * The disjoint sets of symbols that replace wildcards in training, validation and test.
 *
 * <p>Source: Boix-Adsera et al. (2024), appendix A: n symbols for training, 100 each for validation and test.
 *
 * @param heldOut number of symbols for validation, and also for the test
 */
record Alphabet(int training, int heldOut) {

    static final int MAX_SYMBOLS = 1 << 24;

    Alphabet {
        Refuse.outside("alphabet", training, 1, MAX_SYMBOLS);
        Refuse.outside("heldOut", heldOut, 1, MAX_SYMBOLS);
    }

    enum Part {
        TRAINING("a"),
        VALIDATION("v"),
        TEST("t");

        private final String letter;

        Part(String letter) {
            this.letter = letter;
        }
    }

    int size(Part part) {
        return part == Part.TRAINING ? training : heldOut;
    }

    int start(Part part) {
        return switch (part) {
            case TRAINING -> 0;
            case VALIDATION -> training;
            case TEST -> training + heldOut;
        };
    }

    /** a1, a2, ... for training, v1, v2, ... for validation, t1, t2, ... for test. */
    List<String> symbols(Part part) {
        return IntStream.rangeClosed(1, size(part))
                .mapToObj(i -> part.letter + i)
                .toList();
    }
}
