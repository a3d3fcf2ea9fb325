package org.lemmata.task.depth.logic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Exercise;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/**
 * Equalities {@code <start> expression = simplified form <end>}, with expressions drawn by algorithm 1.
 *
 * <p>A sequence is either one whole equality, or a window of consecutive equalities. A window begins with
 * {@code <start>} and may cut off the last equality. Expressions with held-out functions occur only out of sample.
 * Source: Richard (2024), sections 2.1, 2.2 and 5.1.2. Thread-safe.
 */
public final class BooleanExpressions extends Task {

    public static final String NAME = "boolean-expressions";

    public static final Source SOURCE = new Source(Paper.DEPTH, "section 2.1, algorithm 1");

    /**
     * The maximum number of draws for an expression with the required (held-out or not held-out) function; afterwards,
     * we assume that none exists.
     */
    private static final int MAX_DRAWS = 1 << 22;

    private final ExpressionLaw law;
    private final int window;
    private final HeldOutFunctions heldOut;
    private final boolean outOfSample;
    private final AnswerForm form;
    private final BooleanLanguage language;
    private final LeafAlphabet leaves;
    private final Simplification simplification;

    /**
     * The task of in-sample expressions.
     *
     * @param form the form of the answers
     * @param window the number of tokens of a window, or 0 for one equality per sequence
     * @param heldOut the functions that occur only out of sample
     */
    public BooleanExpressions(ExpressionLaw law, AnswerForm form, int window, HeldOutFunctions heldOut) {
        this(law, form, window, heldOut, false, Simplification.shared(law.variables(), form));
    }

    private BooleanExpressions(
            ExpressionLaw law,
            AnswerForm form,
            int window,
            HeldOutFunctions heldOut,
            boolean outOfSample,
            Simplification simplification) {
        super(NAME, SOURCE, simplification.language().vocabulary());
        Refuse.below("window", window, 0);
        this.law = law;
        this.form = form;
        this.window = window;
        this.heldOut = heldOut;
        this.outOfSample = outOfSample;
        this.language = simplification.language();
        this.leaves = new LeafAlphabet(language, law.constants());
        this.simplification = simplification;
    }

    public BooleanLanguage language() {
        return language;
    }

    /** The number of tokens of a window. If sequences are whole equalities, an upper bound of their length. */
    @Override
    public int defaultLength() {
        // At most a disjunction of 2^(n-1) conjunctions of all n variables.
        int answer = (1 << (law.variables() - 1)) * (3 * law.variables() + 2);
        return window > 0 ? window : 3 + law.maxTokens() + answer;
    }

    /** The task of expressions whose functions are held out; empty if no functions are held out. */
    @Override
    public Optional<Task> outOfSample() {
        return heldOut.size() == 0
                ? Optional.empty()
                : Optional.of(new BooleanExpressions(law, form, window, heldOut, true, simplification));
    }

    /** This task with windows of {@code length} tokens, at least 1; empty if sequences are whole equalities. */
    @Override
    public Optional<Task> ofLength(int length) {
        return window == 0 || length < 1
                ? Optional.empty()
                : Optional.of(new BooleanExpressions(law, form, length, heldOut, outOfSample, simplification));
    }

    public int end() {
        return language.end();
    }

    public int depth() {
        return law.depth();
    }

    /** The maximum argument of {@link #withDepth}. */
    public int maxDepth() {
        return ExpressionLaw.MAX_DEPTH;
    }

    /** Whether this task has only expressions whose functions are held out. */
    public boolean isOutOfSample() {
        return outOfSample;
    }

    /** This task with another maximum depth of clauses and the same held-out functions. */
    public BooleanExpressions withDepth(int depth) {
        return new BooleanExpressions(law.withDepth(depth), form, window, heldOut, outOfSample, simplification);
    }

    /**
     * Draws a window of exactly {@code length} tokens, or one equality of at most {@code length} tokens.
     *
     * @throws IllegalArgumentException if {@code length} is below 1 or, for whole equalities, below
     *     {@link #defaultLength}; or if no expression with a required function is found
     */
    @Override
    public Example sample(RandomGenerator random, int length) {
        if (window == 0) {
            if (length < defaultLength()) {
                throw new IllegalArgumentException(
                        "length: expected at least " + defaultLength() + " for any equality, got " + length);
            }
            return Example.nextToken(sampleEquality(random));
        }
        Refuse.below("length", length, 1);
        var drawing = new Drawing(random);
        int[] ids = new int[length];
        for (int at = 0; at < length; ) {
            int[] equality = drawing.equality();
            int fitting = Math.min(equality.length, length - at);
            System.arraycopy(equality, 0, ids, at, fitting);
            at += fitting;
        }
        return Example.nextToken(ids);
    }

    /** Draws the tokens of one equality, including {@code <start>} and {@code <end>}. */
    public int[] sampleEquality(RandomGenerator random) {
        return new Drawing(random).equality();
    }

    public int[] sampleExpression(RandomGenerator random) {
        var drawing = new Drawing(random);
        drawing.next();
        return drawing.sampler.ids();
    }

    /** Draws a question, {@code <start> expression =}, with its answer, the simplified form. */
    public Exercise sampleExercise(RandomGenerator random) {
        return exercises(sampleEquality(random)).getFirst();
    }

    private final class Drawing {

        private final ExpressionSampler sampler;
        private final long[] table = new long[leaves.words()];

        Drawing(RandomGenerator random) {
            sampler = law.sampler(leaves, random);
        }

        void next() {
            for (int draw = 0; draw < MAX_DRAWS; draw++) {
                sampler.draw();
                sampler.tableInto(table);
                if (heldOut.contains(table) == outOfSample) {
                    return;
                }
            }
            throw new IllegalArgumentException("heldOut: expected some of the functions of " + law + " "
                    + (outOfSample ? "" : "not ") + "among the " + heldOut.size() + " held out, got none in "
                    + MAX_DRAWS + " draws");
        }

        /** Draws the tokens of an equality, including {@code <start>} and {@code <end>}. */
        int[] equality() {
            next();
            int[] expression = sampler.ids();
            int[] answer = simplification.simplified(table);
            int[] ids = new int[expression.length + answer.length + 3];
            ids[0] = language.start();
            System.arraycopy(expression, 0, ids, 1, expression.length);
            ids[expression.length + 1] = language.equalSign();
            System.arraycopy(answer, 0, ids, expression.length + 2, answer.length);
            ids[ids.length - 1] = language.end();
            return ids;
        }
    }

    /** The tokens of the simplified form of an expression. */
    public int[] simplified(int... expression) {
        return simplification.simplified(language.evaluate(expression));
    }

    /**
     * Grades an answer.
     *
     * @param question the question of an exercise
     * @param answer the tokens before {@link #end}
     * @throws IllegalArgumentException if {@code question} has another form than the questions of exercises
     */
    public AnswerGrade grade(int[] question, int[] answer) {
        int[] expression = expression(question);
        TruthTable table = language.evaluate(expression);
        TruthTable answered;
        try {
            answered = language.evaluate(answer);
        } catch (IllegalArgumentException e) {
            return AnswerGrade.MALFORMED;
        }
        int[] label = simplification.simplified(table);
        if (Arrays.equals(answer, label)) {
            return AnswerGrade.SIMPLIFIED;
        }
        if (!answered.equals(table)) {
            return AnswerGrade.UNEQUAL;
        }
        if (answer.length >= expression.length) {
            return AnswerGrade.TOO_LONG;
        }
        return Arrays.equals(variables(answer), variables(label)) ? AnswerGrade.EQUAL : AnswerGrade.OTHER_VARIABLES;
    }

    private int[] expression(int[] question) {
        int last = question.length - 1;
        if (last < 1 || question[0] != language.start() || question[last] != language.equalSign()) {
            throw new IllegalArgumentException(
                    "question: expected <start> expression =, got " + Refuse.quoted(language.text(question)));
        }
        return Arrays.copyOfRange(question, 1, last);
    }

    private int[] variables(int[] ids) {
        return IntStream.of(ids)
                .filter(id -> id < law.variables())
                .distinct()
                .sorted()
                .toArray();
    }

    /**
     * Whether a sequence is one equality, or a window of equalities of any length. The expressions must be possible
     * draws of algorithm 1 that are in sample (or out of sample, as this task requires), with their simplified forms.
     * If an expression is cut off, only its syntax is checked.
     */
    @Override
    public boolean accepts(int... ids) {
        int[] starts = starts(ids);
        return starts.length > 0
                && starts[0] == 0
                && (window > 0 || starts.length == 1)
                && IntStream.range(0, starts.length)
                        .allMatch(i -> acceptsEquality(part(ids, starts, i), window > 0 && i == starts.length - 1));
    }

    private int[] starts(int[] ids) {
        language.requireIds(ids);
        return IntStream.range(0, ids.length)
                .filter(i -> ids[i] == language.start())
                .toArray();
    }

    /** The ids from a {@code <start>} up to the next one. */
    private static int[] part(int[] ids, int[] starts, int i) {
        return Arrays.copyOfRange(ids, starts[i], i == starts.length - 1 ? ids.length : starts[i + 1]);
    }

    private boolean acceptsEquality(int[] equality, boolean mayBeCut) {
        int equalSign = indexOf(equality, language.equalSign());
        if (equalSign == equality.length) {
            return mayBeCut && language.isBeginning(Arrays.copyOfRange(equality, 1, equalSign));
        }
        int[] expression = Arrays.copyOfRange(equality, 1, equalSign);
        if (!ClauseStructure.reaches(language, law.constants(), law.clauses(), law.depth(), expression)) {
            return false;
        }
        TruthTable table = language.evaluate(expression);
        if (heldOut.contains(table) != outOfSample) {
            return false;
        }
        int[] answer = answerAndEnd(table);
        int[] given = Arrays.copyOfRange(equality, equalSign + 1, equality.length);
        boolean cut = mayBeCut && given.length < answer.length;
        return Arrays.equals(given, cut ? Arrays.copyOf(answer, given.length) : answer);
    }

    private int[] answerAndEnd(TruthTable table) {
        int[] answer = simplification.simplified(table);
        int[] ended = Arrays.copyOf(answer, answer.length + 1);
        ended[answer.length] = language.end();
        return ended;
    }

    private static int indexOf(int[] ids, int id) {
        int at = 0;
        while (at < ids.length && ids[at] != id) {
            at++;
        }
        return at;
    }

    /** The maximum number of parentheses around a token of an expression: the depth in algorithm 1. */
    @Override
    public OptionalInt nestingDepth(int... ids) {
        int[] starts = starts(ids);
        return IntStream.range(0, starts.length)
                .map(i -> {
                    int[] part = part(ids, starts, i);
                    return language.nesting(Arrays.copyOf(part, indexOf(part, language.equalSign())));
                })
                .max();
    }

    /**
     * The questions {@code <start> expression =} of whole equalities, with their answers: the tokens before
     * {@code <end>}.
     */
    public List<Exercise> exercises(int... ids) {
        List<Exercise> exercises = new ArrayList<>();
        for (int start : starts(ids)) {
            int[] rest = Arrays.copyOfRange(ids, start, ids.length);
            int equalSign = indexOf(rest, language.equalSign());
            int end = indexOf(rest, language.end());
            if (equalSign < end && end < rest.length) {
                exercises.add(
                        new Exercise(Arrays.copyOf(rest, equalSign + 1), Arrays.copyOfRange(rest, equalSign + 1, end)));
            }
        }
        return exercises;
    }
}
