package org.lemmata.construct.depth;

import java.util.List;
import org.lemmata.token.Vocabulary;

/** The two tokens that the constructions of Richard (2024) speak of. */
final class BracketPair {

    private BracketPair() {}

    static Vocabulary checked(Vocabulary vocabulary) {
        if (!vocabulary.symbols().equals(List.of("(", ")"))) {
            throw new IllegalArgumentException(
                    "vocabulary: expected ( and ), in this order, got " + String.join(" ", vocabulary.symbols()));
        }
        return vocabulary;
    }
}
