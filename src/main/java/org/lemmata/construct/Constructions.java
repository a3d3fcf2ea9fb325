package org.lemmata.construct;

import java.util.List;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.construct.depth.DyckCompleterWithoutPositions;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.token.Vocabulary;

/** The one list of constructions. */
public final class Constructions {

    private static final Vocabulary BRACKETS = new Vocabulary(List.of("(", ")"));

    /** N^3 stays far within binary64, and a prefix of 2N tokens within memory. */
    private static final int MAX_PAIRS = 1 << 14;

    public static final Catalogue<Construction> CATALOGUE = new Catalogue<>(
            "construction",
            List.of(
                    new Catalogue.Entry<>(
                            "dyck-completion",
                            "completes a prefix of a Dyck word by the stack sizes of one training word",
                            DyckCompleterByPositionSums.SOURCE,
                            List.of(
                                    new Setting(
                                            "word", "", "the training word, balanced, as long as completions will be"),
                                    new Setting(
                                            "gamma",
                                            "-0.5",
                                            "pull to the training word: within (-2, 0) every greedy completion is balanced; not 0"),
                                    new Setting(
                                            "v",
                                            "",
                                            "value weight, v gamma > N^2; by default the least in size, -(2N^2 + 1) for gamma = -0.5")),
                            Constructions::byPositionSums),
                    new Catalogue.Entry<>(
                            "dyck-completion-without-positions",
                            "completes a prefix of a Dyck word by closing what is open, then repeating ()",
                            DyckCompleterWithoutPositions.SOURCE,
                            List.of(
                                    new Setting("N", "", "half the length of a completed word, 1 to " + MAX_PAIRS),
                                    new Setting("v", "", "value weight, below 0; by default -(2N^2 (2N + 1) + 1)")),
                            Constructions::withoutPositions)));

    private Constructions() {}

    private static Construction byPositionSums(Settings settings) {
        int[] word = brackets("word", settings.required("word", "a balanced word such as (())()"));
        double gamma = settings.requiredReal("gamma");
        return settings.real("v")
                .map(v -> new DyckCompleterByPositionSums(BRACKETS, word, gamma, v))
                .orElseGet(() -> new DyckCompleterByPositionSums(BRACKETS, word, gamma));
    }

    private static Construction withoutPositions(Settings settings) {
        int pairs = settings.requiredInteger("N", 1, MAX_PAIRS);
        return settings.real("v")
                .map(v -> new DyckCompleterWithoutPositions(BRACKETS, pairs, v))
                .orElseGet(() -> new DyckCompleterWithoutPositions(BRACKETS, pairs));
    }

    private static int[] brackets(String name, String text) {
        if (text.length() > 2 * MAX_PAIRS) {
            throw new IllegalArgumentException(
                    name + ": expected at most " + 2 * MAX_PAIRS + " brackets, got " + text.length());
        }
        int[] ids = new int[text.length()];
        for (int i = 0; i < ids.length; i++) {
            if (!BRACKETS.symbols().contains(text.substring(i, i + 1))) {
                throw new IllegalArgumentException(
                        name + ": expected ( or ) at position " + (i + 1) + ", got '" + text.charAt(i) + "'");
            }
            ids[i] = BRACKETS.id(text.substring(i, i + 1));
        }
        return ids;
    }
}
