package org.lemmata.task.symbol;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;

/**
 * The symbols that wildcards stand for: of training, of validation and of the test, none in two of them.
 *
 * <p>Source: Boix-Adsera et al. (2024), appendix A: n symbols of training, 100 each of validation and test.
 *
 * @param training how many of training
 * @param heldOut how many of validation, and as many of the test
 */
record Alphabet(int training, int heldOut) {

    static final int MAX_SYMBOLS = 1 << 24;

    Alphabet {
        Refuse.outside("alphabet", training, 1, MAX_SYMBOLS);
        Refuse.outside("heldOut", heldOut, 1, MAX_SYMBOLS);
    }

    /** One of the three. */
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

    /** The place of a part's first symbol among all. */
    int start(Part part) {
        return switch (part) {
            case TRAINING -> 0;
            case VALIDATION -> training;
            case TEST -> training + heldOut;
        };
    }

    /** a1, a2, ... of training, v1, ... of validation, t1, ... of the test. */
    List<String> symbols(Part part) {
        return IntStream.rangeClosed(1, size(part))
                .mapToObj(i -> part.letter + i)
                .toList();
    }
}
