package org.lemmata.claim.hierarchy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Cases;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.model.Architecture;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.task.hierarchy.NearMiss;
import org.lemmata.task.hierarchy.UniformWords;
import org.lemmata.token.Batch;

/**
 * Claims that a construction recognizes a language: words have positive scores, and other strings have negative scores.
 */
final class RecognizerClaim {

    private static final long SEED = 2_401;

    /**
     * Creates a claim.
     *
     * @param language the recognized language
     * @param construction creates the construction for the strings of a case
     * @param size the stated size of the construction
     * @param rows k, length and draws of the cases of each budget
     */
    static ComputedClaim of(
            ComputedClaim.Builder claim,
            BracketLanguage language,
            Function<BracketStrings, BracketTransformer> construction,
            Size size,
            String... rows) {
        Cases<BracketStrings> cases = Cases.of(
                "k, maxLength, strings",
                row -> new BracketStrings(row.integer(0), row.integer(1), row.integer(2)),
                rows);
        return claim.settings("""
            k | 1..64 | 2 | bracket types; without any setting the cases of the budget are tested
            maxLength | 1..1000 | 20 | brackets of the strings
            strings | 0..10000 | 90 | how many are drawn; 0 for every string
            """)
                .range(scope -> cases.text(scope) + "; every prefix is a decision")
                .test((scope, computation) -> {
                    var tally = new Tally();
                    for (BracketStrings strings : cases.in(scope)) {
                        BracketTransformer transformer = construction.apply(strings);
                        size.require(transformer, tally);
                        decide(transformer, language, computation.model(transformer), strings, SEED, tally);
                    }
                    return tally.finding("every decision is right", SEED);
                });
    }

    static void decide(
            BracketTransformer transformer,
            BracketLanguage language,
            LanguageModel model,
            BracketStrings strings,
            long seed,
            Tally tally) {
        Decisions.Count count =
                new Decisions(transformer, language, model).count(strings.strings(language, Tally.random(seed)), tally);
        Refuse.when(count.decisions() == 0, "strings", "some whose first two brackets differ", strings);
        tally.atMost("wrong decisions, " + strings, (double) count.wrong(), "decisions", count.decisions(), 0);
    }

    /**
     * The size that a statement gives a construction.
     *
     * @param layers the number of layers; 0 if it is not stated
     * @param width the width for k; 0 if it is not stated
     */
    record Size(int layers, IntUnaryOperator width) {

        static final Size OPEN = layers(0);

        static Size layers(int layers) {
            return new Size(layers, types -> 0);
        }

        void require(BracketTransformer transformer, Tally tally) {
            Architecture built = transformer.build().architecture();
            int types = transformer.tokens().types();
            int stated = width.applyAsInt(types);
            tally.require(
                    (layers == 0 || built.layers() == layers) && (stated == 0 || built.width() == stated),
                    () -> "k = " + types + ": " + built.layers() + " layers and a width of " + built.width());
        }
    }

    /** Compares the signs of a model's scores after all prefixes with a stack machine or counters. */
    record Decisions(BracketTransformer transformer, BracketLanguage language, LanguageModel model) {

        private static final int BATCH = 1 << 12;

        record Count(long decisions, long wrong) {

            Count plus(Count other) {
                return new Count(decisions + other.decisions, wrong + other.wrong);
            }
        }

        /**
         * Tests all prefixes of the strings. Without a start token, the construction covers only strings whose first
         * two brackets differ; other strings are skipped.
         */
        Count count(List<int[]> strings, Tally tally) {
            List<int[]> tested = strings.stream()
                    .filter(string -> transformer.hasStart() || BracketStrings.firstTwoDiffer(string))
                    .toList();
            var count = new Count(0, 0);
            for (int first = 0, end = 0; first < tested.size(); first = end) {
                for (int size = 0; end < tested.size() && size < BATCH; end++) {
                    size += tested.get(end).length + 1;
                }
                count = count.plus(countBatch(tested.subList(first, end), tally));
            }
            return count;
        }

        private Count countBatch(List<int[]> strings, Tally tally) {
            BracketTokens tokens = transformer.tokens();
            double[] scores = model.logits(Batch.of(
                    strings.stream().map(string -> transformer.input(string)).toList()));
            int at = 0;
            long wrong = 0;
            for (int[] string : strings) {
                BitSet members = language.members(tokens, string);
                for (int length = transformer.hasStart() ? 0 : 1; length <= string.length; length++) {
                    double score = scores[at++];
                    boolean member = members.get(length);
                    // NaN counts as wrong.
                    if (!(member ? score > 0 : score < 0)) {
                        wrong++;
                        String prefix = tokens.text(Arrays.copyOf(string, length));
                        tally.refute("k = " + tokens.types() + ": '" + prefix + "' has score " + score + ", and is "
                                + (member ? "a" : "no") + " word");
                    }
                }
            }
            return new Count(at, wrong);
        }
    }

    /**
     * The strings for testing a recognizer. Each prefix is a case.
     *
     * @param types k
     * @param length the maximum length of the strings
     * @param draws the number of sampled strings: words, their near misses, prefixes of random words and random
     *     brackets; 0 for every string of this length
     */
    record BracketStrings(int types, int length, int draws) {

        private static final int OTHER_KINDS = 4;

        /** The construction's constants, for depths up to half the length. */
        DyckConstants constants() {
            return DyckConstants.of(length, Math.max(1, length / 2));
        }

        /** Constants with one scale for positions and depths, as in the proofs, for depths up to half the length. */
        DyckConstants sharedConstants() {
            return DyckConstants.shared(length, Math.max(1, length / 2));
        }

        BracketTokens tokens() {
            return new BracketTokens(types);
        }

        @Override
        public String toString() {
            return "k = " + types + ", "
                    + (draws == 0 ? "every string to length " + length : draws + " strings of length " + length);
        }

        List<int[]> strings(BracketLanguage language, RandomGenerator random) {
            if (draws == 0) {
                return Sequences.every(2 * types, length);
            }
            UniformWords words = words(language);
            GenerationProcess process = language == BracketLanguage.DYCK
                    ? GenerationProcess.dyck(types, 0.5, 0.99)
                    : GenerationProcess.shuffleDyck(types, 0.3, 0.99);
            List<int[]> strings = new ArrayList<>();
            NearMiss.Kind[] kinds = NearMiss.Kind.values();
            for (int draw = 0; draw < draws; draw++) {
                int kind = draw % (kinds.length + OTHER_KINDS);
                int[] word = words.sample(random);
                if (kind < kinds.length) {
                    strings.add(NearMiss.of(kinds[kind], language, tokens(), word, random)
                            .map(NearMiss::brackets)
                            .orElse(word));
                } else {
                    strings.add(
                            switch (kind - kinds.length) {
                                case 0 -> word;
                                case 1 -> nested(random);
                                case 2 ->
                                    IntStream.of(process.sample(random, length))
                                            .filter(id -> id < tokens().brackets())
                                            .toArray();
                                default -> random.ints(length, 0, 2 * types).toArray();
                            });
                }
            }
            return strings;
        }

        private UniformWords words(BracketLanguage language) {
            int pairs = Math.max(1, length / 2);
            return language == BracketLanguage.DYCK
                    ? UniformWords.dyck(tokens(), pairs, 1, pairs)
                    : UniformWords.shuffleDyck(tokens(), pairs);
        }

        /** A word with maximum depth: all brackets open, then all close. */
        private int[] nested(RandomGenerator random) {
            int pairs = length / 2;
            int[] opened = random.ints(pairs, 0, types).toArray();
            return IntStream.range(0, 2 * pairs)
                    .map(i -> i < pairs ? tokens().open(opened[i]) : tokens().close(opened[2 * pairs - 1 - i]))
                    .toArray();
        }

        /** Whether there is exactly one bracket, or the first two differ. */
        static boolean firstTwoDiffer(int... brackets) {
            return brackets.length == 1 || (brackets.length > 1 && brackets[0] != brackets[1]);
        }
    }
}
