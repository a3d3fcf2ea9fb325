package org.lemmata.dataset.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.dataset.text.TokenCorpus.Split;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/**
 * Next-token prediction of natural language on windows of consecutive tokens of a corpus; every position has an answer.
 * All windows of a split are equally likely.
 */
public final class TextTask extends Task {

    private final TokenCorpus corpus;
    private final Split split;
    private final int length;

    /**
     * A task on windows of the training split.
     *
     * @param length the number of tokens of a window
     * @throws IllegalArgumentException if the corpus is open and its training split has at most {@code length} tokens
     */
    public TextTask(TokenCorpus corpus, int length) {
        this(corpus, Split.TRAIN, length);
        if (corpus.isOpen()) {
            requireShorter(corpus.split(Split.TRAIN).orElseThrow(), length);
        }
    }

    private TextTask(TokenCorpus corpus, Split split, int length) {
        super("text", new Source(Paper.HIERARCHY, "section 5.2"), corpus.vocabulary());
        this.corpus = corpus;
        this.split = split;
        this.length = length;
    }

    private static void requireShorter(TokenFile tokens, int length) {
        Refuse.when(
                length >= tokens.size(),
                "task.length",
                "fewer than the " + tokens.size() + " tokens of the split",
                length);
    }

    public TextTokens kind() {
        return corpus.kind();
    }

    /** Whether the files have been read, so that {@link #windows} is known. */
    public boolean isOpen() {
        return corpus.isOpen();
    }

    /** The tokens of this task's split; empty if the corpus lacks the split. */
    public Optional<TokenFile> tokens() {
        return corpus.split(split);
    }

    /** The number of successive windows that cover the split, at most 2^31 - 1; the last one may be shorter. */
    public int windows() {
        return (int) Math.min(Integer.MAX_VALUE, covering());
    }

    private long covering() {
        return tokens().map(tokens -> Math.ceilDiv(Math.max(0, tokens.size() - 1), (long) length))
                .orElse(0L);
    }

    /**
     * Selects {@code count} of the {@link #windows} at equal distances.
     *
     * @throws IllegalArgumentException if there are fewer windows
     */
    public List<Example> windows(int count) {
        Refuse.outside("windows", count, 0, windows());
        var examples = new ArrayList<Example>(count);
        for (long i = 0; i < count; i++) {
            TokenFile tokens = tokens().orElseThrow();
            long from = i * covering() / count * length;
            examples.add(example(tokens, from, (int) Math.min(length, tokens.size() - 1 - from)));
        }
        return examples;
    }

    /**
     * A window that repeats the first token of the vocabulary. It has the shape of every window, but requires no file.
     */
    public Example shape() {
        return new Example(
                new int[length], new int[length], IntStream.range(0, length).toArray());
    }

    private static Example example(TokenFile tokens, long from, int length) {
        int[] ids = tokens.tokens(from, length + 1);
        return new Example(
                Arrays.copyOf(ids, length),
                Arrays.copyOfRange(ids, 1, length + 1),
                IntStream.range(0, length).toArray());
    }

    @Override
    public int defaultLength() {
        return length;
    }

    @Override
    public Example sample(RandomGenerator random, int tokensOfWindow) {
        TokenFile tokens = tokens().orElseThrow();
        requireShorter(tokens, tokensOfWindow);
        return example(tokens, random.nextLong(tokens.size() - tokensOfWindow), tokensOfWindow);
    }

    /** Always true, because every sequence of tokens is a text. */
    @Override
    public boolean accepts(int... ids) {
        IntStream.of(ids).forEach(id -> Refuse.outside("id", id, 0, vocabulary().size() - 1));
        return true;
    }

    /** This task with windows of another length. */
    public TextTask of(int otherLength) {
        return new TextTask(corpus, split, otherLength);
    }

    @Override
    public TextTask validation() {
        return new TextTask(corpus, Split.VALIDATION, length);
    }

    @Override
    public TextTask test() {
        return new TextTask(corpus, Split.TEST, length);
    }
}
