package org.lemmata.figure.length;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.figure.length.LengthComparison.ShareCurve;
import org.lemmata.kernel.Kernels;
import org.lemmata.measure.Completions;
import org.lemmata.model.Architecture;
import org.lemmata.model.Decoding;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.Transformer;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.task.depth.PrefixSample;

/**
 * Completions of words of brackets, by models without positions, which read words of any length.
 *
 * <p>The next bracket depends on the length of the word, and all training words have one length. Theorem 4.1 of Izzo,
 * Nichani and Lee (2025) requires a single target function of all sequences, which does not exist here. The data do not
 * determine the answers for longer words, so models are expected to fail on them. Closed forms that only keep the word
 * balanced show that completing longer words is possible.
 *
 * <p>Claim 5.3's construction (Richard, 2024) for words of N = 2n brackets computes h - o / (N + 1) after o opening
 * brackets at stack size h, and closes a bracket if this sum is positive. At h = 1, the sum is positive up to o = N,
 * and words of 2N brackets have only N opening brackets. Longer words must close at h = 1 with larger o, but the
 * construction then opens.
 */
final class WordComparison {

    /** A gamma with which theorem 4.1 of Richard (2024) completes every prefix. */
    private static final double ATTRACTIVE = -0.5;

    static final FigureClaim CLAIM = new LengthComparison(
                    "Words of brackets, N = 8 and 32",
                    "A prefix of a word of T brackets is completed greedily; it is right if that is a balanced word of"
                            + " T brackets.",
                    new ShareCurve.CellShares(
                            "completions.length.",
                            "evaluation.completion-lengths",
                            "evaluation.completions",
                            record -> 2 * record.integer("task.settings.N")),
                    length -> TrivialAnswer.completions(
                            PrefixLaw.ofCuts(length / 2, 1, length / 2), PrefixLaw.openings(length / 2, length / 2)),
                    (lengths, computation) -> List.of(
                            withStart(lengths, computation.kernels()),
                            builtForEach(lengths, computation.kernels()),
                            builtForFirst(lengths, computation.kernels())),
                    WordComparison::judge)
            .claim(
                    "dyck-words",
                    "section 5, here of words of brackets (Richard, 2024, section 4.2 and claim 5.3)",
                    """
                    greedy completions of prefixes of uniform words, cut uniformly; one layer and two without positions,
                    trained on words of 8 and of 32 brackets after <start>, 5 seeds, test lengths to 512; 128 prefixes
                    of each length for the closed forms
                    | d = 128, 2 heads, 10,000 steps of 8 words
                    | d = 32, 2 heads, 1,500 steps of 32 words at a greater rate (1e-3)
                    """,
                    """
                    Beyond the papers: train models with one and with two layers, without positions, only on words of N
                    brackets, some for a smaller and some for a larger N. They complete at least 0.9 (our threshold) of
                    the prefixes of words of N brackets to balanced words of this length, and significantly fewer for
                    words of the largest test length. The closed form of claim 5.3 (Richard, 2024), built for the larger
                    N, completes all prefixes of words of up to 2N brackets, and none of words of 4N brackets or more.
                    Two other closed forms complete all prefixes: the head of theorem 4.1 (Richard, 2024), built with
                    positions from one word of each test length, and a head with uniform attention and no positions that
                    reads <start> before the word, with the embeddings 1, -1 and -1/2 for '(', ')' and <start>.
                    """);

    /**
     * Lemmata's closed form with four weights: E = 1, -1 and -1/2 for '(', ')' and {@code <start>}. The sum of E over a
     * prefix is the stack size minus 1/2, and its sign does not depend on the length.
     */
    private static ShareCurve withStart(List<Integer> lengths, Kernels kernels) {
        int start = DyckWords.BRACKETS.size();
        LanguageModel model = binary32(head(lengths.getLast() + 1, 1, -1, -0.5), kernels);
        return LengthComparison.closedForm(
                "closed form with <start>", lengths, length -> completed(model, length, start));
    }

    /**
     * Theorem 4.1 of Richard (2024), built for each length, with positions, from one word of this length. Greedy
     * decoding depends only on the sign of v. With -1 in place of the theorem's v, all sums are exact in binary32.
     */
    private static ShareCurve builtForEach(List<Integer> lengths, Kernels kernels) {
        return LengthComparison.closedForm("closed form with positions, built for each T", lengths, length -> {
            int[] word = new DyckWords(length / 2).sampleIds(new SplittableRandom(LengthComparison.SEED - length));
            ExactParameters parameters = new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, ATTRACTIVE).build();
            parameters.set(ParameterRole.VALUE, 0, 0, 0, -1);
            return completed(binary32(parameters, kernels), length);
        });
    }

    /**
     * Claim 5.3's closed form for the first length N, which can read words of any length. E is multiplied by N + 1, so
     * that it is exact in binary32.
     */
    private static ShareCurve builtForFirst(List<Integer> lengths, Kernels kernels) {
        int builtFor = lengths.getFirst();
        LanguageModel model = binary32(head(lengths.getLast(), builtFor, -(builtFor + 1.0)), kernels);
        return LengthComparison.closedForm(
                "closed form without positions, built for N", lengths, length -> completed(model, length));
    }

    /**
     * A head of width 1 with uniform attention, v = -1 and the given token embeddings. It computes X = -(mean of the
     * embeddings).
     */
    private static ExactParameters head(int maxLength, double... embeddings) {
        var parameters = new ExactParameters(Architecture.uniformHead(embeddings.length, maxLength, 1, false));
        for (int token = 0; token < embeddings.length; token++) {
            parameters.set(ParameterRole.TOKEN_EMBEDDING, token, 0, embeddings[token]);
        }
        parameters.set(ParameterRole.VALUE, 0, 0, 0, -1);
        return parameters;
    }

    private static LanguageModel binary32(ExactParameters parameters, Kernels kernels) {
        return new Transformer(parameters.narrow(Rounding.toNearestEven(FloatFormat.BINARY32)), kernels);
    }

    /**
     * The number of completed prefixes among {@link LengthComparison#CASES}, with the tokens {@code before} in front of
     * each prefix.
     */
    private static int completed(LanguageModel model, int length, int... before) {
        var words = new DyckWords(length / 2);
        Function<RandomGenerator, int[]> draw = words::sampleIds;
        List<int[]> prefixes = PrefixSample.draw(
                        draw,
                        1,
                        LengthComparison.CASES,
                        i -> new SplittableRandom(LengthComparison.SEED + ((long) length << 31) + i))
                .stream()
                .map(prefix -> IntStream.concat(IntStream.of(before), IntStream.of(prefix))
                        .toArray())
                .toList();
        Completions completions = Completions.of(
                model,
                prefixes,
                before.length + length,
                new Decoding.Greedy(),
                generation -> isBalanced(
                        IntStream.of(generation.tokens()).skip(before.length).toArray()));
        return LengthComparison.CASES - completions.failures().size();
    }

    private static boolean isBalanced(int... ids) {
        return IntStream.of(ids).allMatch(id -> id < DyckWords.BRACKETS.size()) && DyckWords.isBalanced(ids);
    }

    private static void judge(List<ShareCurve> trained, List<ShareCurve> closedForms, Judgement judgement) {
        for (ShareCurve curve : trained) {
            LengthComparison.most(curve, curve.length(), judgement);
            LengthComparison.falls(curve, judgement);
        }
        closedForms.subList(0, 2).forEach(curve -> LengthComparison.all(curve, judgement));
        reaches(closedForms.getLast(), judgement);
    }

    /** Requires that all answers are right up to T = 2N, and none from T = 4N on. */
    private static void reaches(ShareCurve curve, Judgement judgement) {
        boolean holds = curve.shares().entrySet().stream().allMatch(share -> {
            int length = share.getKey();
            return length <= 2 * curve.length()
                    ? share.getValue().value() == 1
                    : length < 4 * curve.length() || share.getValue().value() == 0;
        });
        judgement.add(
                curve.name() + ": all right to T = " + 2 * curve.length() + ", none from " + 4 * curve.length() + " on",
                holds,
                !holds);
    }
}
