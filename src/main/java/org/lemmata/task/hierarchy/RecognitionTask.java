package org.lemmata.task.hierarchy;

import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.RegressionTask;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/**
 * Recognition of Dyck_k: 1 after a word, -1 after any other string of brackets, as in definition 5 of Hayakawa and Sato
 * (2024).
 *
 * <p>Half of the strings are uniform words. The other half are words after one flip, retyping, swap or dip
 * ({@link NearMiss}); these changes preserve the length. All even lengths in a range are equally likely.
 */
public final class RecognitionTask extends Task implements RegressionTask {

    static final String NAME = "dyck-recognition";

    static final Source SOURCE = new Source(Paper.HIERARCHY, "definition 5");

    private static final List<NearMiss.Kind> KINDS =
            List.of(NearMiss.Kind.FLIP, NearMiss.Kind.RETYPE, NearMiss.Kind.SWAP, NearMiss.Kind.DIP);

    private final BracketTokens tokens;
    private final int minPairs;
    private final List<UniformWords> words;

    /**
     * @param minPairs the number of pairs of the shortest string, at least 1
     * @param maxPairs the number of pairs of the longest string
     */
    public RecognitionTask(BracketTokens tokens, int minPairs, int maxPairs) {
        super(NAME, SOURCE, tokens.vocabulary());
        Refuse.when(minPairs < 1 || maxPairs < minPairs, "pairs", "1 or more", minPairs + " to " + maxPairs);
        this.tokens = tokens;
        this.minPairs = minPairs;
        this.words = IntStream.rangeClosed(minPairs, maxPairs)
                .mapToObj(pairs -> UniformWords.dyck(tokens, pairs, 1, pairs))
                .toList();
    }

    @Override
    public int defaultLength() {
        return 2 * (minPairs + words.size() - 1);
    }

    /** This task with one length; empty if the length is odd or below 2. */
    @Override
    public Optional<Task> ofLength(int length) {
        return length < 2 || length % 2 != 0
                ? Optional.empty()
                : Optional.of(new RecognitionTask(tokens, length / 2, length / 2));
    }

    @Override
    public Example sample(RandomGenerator random, int length) {
        int longest = length / 2 - minPairs;
        Refuse.when(longest < 0 || longest >= words.size(), "length", 2 * minPairs + " to " + defaultLength(), length);
        int[] word = words.get(random.nextInt(longest + 1)).sample(random);
        if (random.nextBoolean()) {
            return Example.regression(word, 1);
        }
        NearMiss.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        NearMiss miss = NearMiss.of(kind, BracketLanguage.DYCK, tokens, word, random)
                .or(() -> NearMiss.of(NearMiss.Kind.FLIP, BracketLanguage.DYCK, tokens, word, random))
                .orElseThrow();
        return Example.regression(miss.brackets(), -1);
    }

    @Override
    public double value(int... ids) {
        return BracketLanguage.DYCK.contains(tokens, ids) ? 1 : -1;
    }

    /** All positions. */
    @Override
    public IntPredicate relevantPositions(int... ids) {
        return position -> true;
    }

    @Override
    public boolean accepts(int... ids) {
        tokens.requireBrackets(ids);
        return ids.length % 2 == 0 && ids.length >= 2 * minPairs && ids.length <= defaultLength();
    }
}
