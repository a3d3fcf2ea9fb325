package org.lemmata.claim.depth;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.lemmata.claim.Cases;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.DyckCompleterByLastOpener;
import org.lemmata.measure.Completions;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.TypedBrackets;
import org.lemmata.token.Batch;
import org.lemmata.token.Vocabulary;

/** Beyond the paper: two layers with hard attention complete words of several bracket types. */
final class SeveralTypesCompleter {

    private static final long SEED = 4_202;

    /**
     * The size of a test: every training word and prefix if {@code words} is 0; otherwise {@code words} sampled words,
     * each with {@code prefixes} sampled prefixes.
     */
    record Size(int pairs, int types, int words, int prefixes) {

        private static Size of(Cases.Row row) {
            return new Size(row.integer(0), row.integer(1), row.integer(2), row.integer(3, 64));
        }

        @Override
        public String toString() {
            String tested = words == 0
                    ? "every training word and prefix"
                    : words + " drawn training words, each with " + prefixes + " drawn prefixes,";
            return tested + " with N = " + pairs + ", k = " + types;
        }
    }

    private static final Cases<Size> SIZES = Cases.of(
            "N, k, words",
            Size::of,
            "1,2,0,0; 2,3,0,0; 3,2,0,0; 8,3,2,64; 16,4,1,64",
            "4,2,0,0; 12,2,32,64; 32,8,2,16",
            "5,2,0,0; 64,4,2,8");

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "depth.several-types.completer", DyckCompleterByLastOpener.SOURCE, """
                    Beyond the paper: a closed-form model of two layers with hardmax attention is built from one
                    training word of N bracket pairs of k types. It completes any prefix of a word of N pairs to such a
                    word with probability at least p = 1 - 2N (2k - 1) exp(-N). It completes any prefix of its training
                    word to this word, also with probability at least p.
                    """)
            .settings("""
                N | 1..64 | 3 | half the length of the words; without N, k and words the sizes of the budget are
                  tested
                k | 1..16 | 2 | bracket types
                words | 0..1000 | 2 | training words that are drawn, each with 64 prefixes; 0 for all of them, with
                  every prefix
                """)
            .range(scope -> SIZES.text(scope)
                    + "; greedily, and by the maximum probability of a wrong bracket after each number of"
                    + " tokens, summed, under sampling")
            .test((scope, computation) -> check(SIZES.in(scope), computation::model));

    static Finding check(List<Size> sizes, Function<DyckCompleterByLastOpener, LanguageModel> models) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        for (Size size : sizes) {
            boolean exhaustive = size.words() == 0;
            List<int[]> words = exhaustive
                    ? TypedBrackets.words(size.pairs(), size.types())
                    : Stream.generate(() -> TypedBrackets.sample(size.pairs(), size.types(), random))
                            .limit(size.words())
                            .toList();
            List<int[]> all = exhaustive ? prefixes(size) : List.of();
            Vocabulary vocabulary = TypedBrackets.vocabulary(size.types());
            // The bound does not depend on the word.
            double bound = new DyckCompleterByLastOpener(vocabulary, words.getFirst()).failureBound();
            String suffix = ", N = " + size.pairs() + ", k = " + size.types();
            Tally.Extreme another = tally.atMost("maximum probability of another word" + suffix, "probability", bound);
            Tally.Extreme invalid =
                    tally.atMost("sum of the largest probabilities of a wrong bracket" + suffix, "probability", bound);
            for (int[] word : words) {
                LanguageModel model = models.apply(new DyckCompleterByLastOpener(vocabulary, word));

                Memorization memorization = Memorization.of(model, word);
                another.add(memorization.failure());
                List<int[]> prefixes = exhaustive ? all : drawPrefixes(size, random);
                Completions completions = Theorem41.greedy(model, prefixes, word.length, TypedBrackets::isBalanced);
                invalid.count(completions.count());
                double wrong = wrong(model, prefixes, size);
                String text = "training word " + TypedBrackets.text(word);
                tally.require(
                        memorization.failure() <= bound
                                && memorization.departures().isEmpty(),
                        () -> text + ": not completed to itself with probability " + memorization.failure()
                                + " against " + bound + ", and greedily after " + memorization.departures()
                                + " tokens");
                invalid.add(wrong, () -> text + ": a wrong bracket with probability " + wrong + " against " + bound);
                completions
                        .failures()
                        .forEach(failure -> tally.refute(text + ": completed to " + TypedBrackets.text(failure.tokens())
                                + " from " + failure.prefixLength() + " brackets"));
            }
        }
        return tally.finding("every prefix is completed to a word greedily, and within the bound under sampling", SEED);
    }

    private static List<int[]> prefixes(Size size) {
        return Stream.iterate(1, r -> r < 2 * size.pairs(), r -> r + 1)
                .flatMap(r -> TypedBrackets.prefixes(r, size.pairs(), size.types()).stream())
                .toList();
    }

    private static List<int[]> drawPrefixes(Size size, RandomGenerator random) {
        return Stream.generate(() -> TypedBrackets.sample(size.pairs(), size.types(), random))
                .limit(size.prefixes())
                .map(word -> Arrays.copyOf(word, random.nextInt(1, word.length)))
                .toList();
    }

    /** The sum over r of the maximum probability of an impossible token, over the given prefixes of r tokens. */
    private static double wrong(LanguageModel model, List<int[]> prefixes, Size size) {
        Batch batch = Batch.of(prefixes);
        double[] logits = model.logits(batch);
        int columns = 2 * size.types();
        double[] maximum = new double[2 * size.pairs()];
        for (int sequence = 0; sequence < prefixes.size(); sequence++) {
            int[] prefix = prefixes.get(sequence);
            IntList right = IntArrayList.wrap(TypedBrackets.next(prefix, size.pairs(), size.types()));
            int row = (batch.sequences().end(sequence) - 1) * columns;
            double max = Arrays.stream(logits, row, row + columns).max().orElseThrow();
            double total = 0;
            double wrong = 0;
            for (int token = 0; token < columns; token++) {
                double weight = Math.exp(logits[row + token] - max);
                total += weight;
                wrong += right.contains(token) ? 0 : weight;
            }
            maximum[prefix.length] = Math.max(maximum[prefix.length], wrong / total);
        }
        return Arrays.stream(maximum).sum();
    }
}
