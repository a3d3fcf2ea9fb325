package org.lemmata.kernel.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.kernel.Guarded.assertWithin;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.ExactEmbedding;

/** Tests of the scalar {@link Embedding}, which those of other implementations inherit. */
class ScalarEmbeddingTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260404;
    private static final double UNIT = 0x1p-24;

    Embedding embedding() {
        return new ScalarEmbedding();
    }

    /** Guarded tables and outputs. */
    static final class Problem {

        final EmbeddingShape shape;
        final int[] lengths;
        final RaggedOffsets sequences;
        final int[] ids;
        final Matrix tokens;
        final Matrix table;
        final Matrix outputs;

        Problem(EmbeddingShape shape, int[] lengths, RandomGenerator random) {
            this.shape = shape;
            this.lengths = lengths;
            sequences = RaggedOffsets.ofLengths(lengths);
            ids = random.ints(sequences.total(), 0, shape.vocabulary()).toArray();
            tokens = drawn(shape.vocabulary(), random);
            table = drawn(shape.positionRows(), random);
            outputs = drawn(sequences.total(), random);
        }

        static Problem of(int width, int vocabulary, Positions positions, float scale, int[] lengths, long seed) {
            int longest = Arrays.stream(lengths).max().orElse(1);
            int rows = switch (positions) {
                case NONE -> 0;
                case TABLE -> Math.max(1, longest);
                case PERIODIC -> 3;
            };
            var shape = new EmbeddingShape(vocabulary, width, positions, rows, scale);
            return new Problem(shape, lengths, new SplittableRandom(seed));
        }

        private Matrix drawn(int rows, RandomGenerator random) {
            float[] numbers = Guarded.uniform(rows * shape.width(), 2, random);
            return Guarded.of(numbers, rows, shape.width(), 0, Guarded.SENTINEL);
        }

        void forward(Embedding embedding) {
            embedding.forward(outputs, ids, sequences, tokens, table, shape);
        }

        /** Adds the gradients to the tables, with the numbers of the outputs as those of the outputs' gradients. */
        void backward(Embedding embedding) {
            embedding.backward(tokens, table, outputs, ids, sequences, shape);
        }

        List<float[]> all() {
            return Stream.of(outputs, tokens, table).map(Guarded::numbers).toList();
        }

        int[] positions() {
            return ExactEmbedding.positions(lengths, Math.max(1, shape.positionRows()));
        }
    }

    private static double[][] exact(Matrix matrix) {
        double[][] exact = new double[matrix.rows()][matrix.columns()];
        for (int i = 0; i < matrix.rows(); i++) {
            for (int j = 0; j < matrix.columns(); j++) {
                exact[i][j] = matrix.get(i, j);
            }
        }
        return exact;
    }

    private void check(String name, Problem problem) {
        checkBackward(name, problem);
        checkForward(name, problem);
    }

    /** One rounding, or none. */
    private void checkForward(String name, Problem problem) {
        List<float[]> before = problem.all();
        double[][] exact = ExactEmbedding.forward(
                problem.ids,
                problem.positions(),
                exact(problem.tokens),
                exact(problem.table),
                problem.shape.tokenScale());
        problem.forward(embedding());
        for (int i = 0; i < exact.length; i++) {
            for (int j = 0; j < problem.shape.width(); j++) {
                assertThat(problem.outputs.get(i, j))
                        .as("%s: y[%d][%d]", name, i, j)
                        .isEqualTo((float) exact[i][j]);
            }
        }
        List<float[]> after = problem.all();
        assertThat(after.get(1)).as("%s: tokens", name).isEqualTo(before.get(1));
        assertThat(after.get(2)).as("%s: positions", name).isEqualTo(before.get(2));
    }

    /** Tolerates n additions, each with an error of at most u = 2^-24 of the sum of absolute terms and old values. */
    private void checkBackward(String name, Problem problem) {
        float[] inputs = Guarded.numbers(problem.outputs);
        double[][] tokens = exact(problem.tokens);
        double[][] table = exact(problem.table);
        problem.backward(embedding());
        assertThat(problem.all().getFirst()).as("%s: dy", name).isEqualTo(inputs);
        double[][] dy = exact(problem.outputs);
        checkTable(name + ": dE", problem.tokens, tokens, problem.ids, dy, problem.shape.tokenScale());
        checkTable(name + ": dP", problem.table, table, problem.positions(), dy, 1);
    }

    private static void checkTable(
            String name, Matrix table, double[][] before, int[] keys, double[][] dy, double scale) {
        if (before.length == 0 || dy.length == 0) {
            return;
        }
        double[][] exact = ExactEmbedding.gradient(before.length, keys, dy, scale, false);
        double[][] sizes = ExactEmbedding.gradient(before.length, keys, dy, scale, true);
        for (int row = 0; row < before.length; row++) {
            for (int j = 0; j < table.columns(); j++) {
                double old = before[row][j];
                double bound = (dy.length + 1) * UNIT * (sizes[row][j] + Math.abs(old));
                String place = name + "[" + row + "][" + j + "]";
                assertWithin(table.get(row, j), old + exact[row][j], bound, () -> place);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Positions.class)
    void everyWidthUpToTwiceTheLanes(Positions positions) {
        for (int width = 1; width <= 2 * LANES + 1; width++) {
            long seed = SEED + width;
            float scale = width % 2 == 0 ? 1 : 2.5f;
            Problem problem = Problem.of(width, 4, positions, scale, new int[] {0, 5, 0, 0, 1, 7, 0}, seed);
            check("seed " + seed + ", width " + width, problem);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 97, 128, 257})
    void primesAndPowersOfTwo(int width) {
        for (Positions positions : Positions.values()) {
            Problem problem = Problem.of(width, 11, positions, 1, new int[] {3, 40, 2}, SEED);
            check("seed " + SEED + ", width " + width + ", " + positions, problem);
        }
    }

    /** More rows than a chunk: chunks start inside sequences, at their ends, and at empty ones. */
    @ParameterizedTest
    @EnumSource(Positions.class)
    void severalChunks(Positions positions) {
        int[] lengths = {100, 0, 924, 0, 0, 700, 1400};
        check(positions + ", seed " + SEED, Problem.of(32, 5, positions, 3, lengths, SEED));
    }

    @ParameterizedTest
    @EnumSource(Positions.class)
    void freshSeeds(Positions positions) {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            int[] lengths = random.ints(random.nextInt(6), 0, 12).toArray();
            int width = 1 + random.nextInt(70);
            Problem problem = Problem.of(width, 1 + random.nextInt(9), positions, 1, lengths, random.nextLong());
            check("seed " + seed + ", run " + i + ", width " + width, problem);
        }
    }

    /** Compares gradients with central differences of a loss in binary64. */
    @ParameterizedTest
    @EnumSource(Positions.class)
    void gradientsAreCentralDifferences(Positions positions) {
        Problem problem = Problem.of(LANES + 3, 3, positions, 1.5f, new int[] {4, 6, 1}, SEED);
        double[][] tokens = exact(problem.tokens);
        double[][] table = exact(problem.table);
        double[][] dy = exact(problem.outputs);
        List<double[][]> before = List.of(exact(problem.tokens), exact(problem.table));
        problem.backward(embedding());
        for (int k = 0; k < 2; k++) {
            Matrix gradients = k == 0 ? problem.tokens : problem.table;
            double[][] varied = k == 0 ? tokens : table;
            for (int row = 0; row < varied.length; row++) {
                var loss = new CentralDifferences(
                        varied[row],
                        () -> ExactEmbedding.loss(
                                dy,
                                ExactEmbedding.forward(
                                        problem.ids, problem.positions(), tokens, table, problem.shape.tokenScale())));
                for (int j = 0; j < varied[row].length; j++) {
                    float actual = (float) (gradients.get(row, j) - before.get(k)[row][j]);
                    String place = positions + " [" + row + "][" + j + "]";
                    assertWithin(actual, loss.derivative(j, 1e-6), 1e-4, () -> place);
                }
            }
        }
    }

    /** Special values appear only in the rows that use them. */
    @Test
    void specialValuesStayInTheirRow() {
        for (float special : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, -0f}) {
            Problem problem = Problem.of(LANES + 3, 3, Positions.NONE, 1, new int[] {4, 6, 1}, SEED);
            int width = problem.shape.width();
            Arrays.fill(problem.tokens.array(), problem.tokens.offset(), problem.tokens.offset() + width, special);
            problem.forward(embedding());
            for (int i = 0; i < problem.sequences.total(); i++) {
                for (int j = 0; j < width; j++) {
                    assertThat(Float.compare(problem.outputs.get(i, j), special) == 0)
                            .as("%s: y[%d][%d]", special, i, j)
                            .isEqualTo(problem.ids[i] == 0);
                }
            }
        }
    }

    @Test
    void refusesIdsOutsideTheVocabularyAndWritesNothing() {
        for (int bad : new int[] {-1, 4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Problem problem = Problem.of(3, 4, Positions.TABLE, 1, new int[] {2, 3}, SEED);
            problem.ids[4] = bad;
            List<float[]> before = problem.all();
            String message = "ids: expected 0 to 3, got " + bad + " at 4";
            assertRefused(() -> problem.forward(embedding()), message);
            assertRefused(() -> problem.backward(embedding()), message);
            for (int i = 0; i < before.size(); i++) {
                assertThat(problem.all().get(i)).isEqualTo(before.get(i));
            }
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        Embedding embedding = embedding();
        var three = RaggedOffsets.ofLengths(1, 2);
        int[] ids = {0, 1, 0};
        var shape = new EmbeddingShape(2, 5, Positions.TABLE, 2, 1);
        Matrix rows = Matrix.of(new float[15], 3, 5);
        Matrix table = Matrix.of(new float[10], 2, 5);
        Matrix oneRow = Matrix.of(new float[5], 1, 5);
        assertRefused(
                () -> embedding.forward(rows, new int[2], three, table, table, shape),
                "ids: expected 3, the sum of the lengths, got 2");
        assertRefused(() -> embedding.forward(table, ids, three, table, table, shape), "y: expected 3 x 5, got 2 x 5");
        assertRefused(
                () -> embedding.forward(rows, ids, three, oneRow, table, shape), "tokens: expected 2 x 5, got 1 x 5");
        assertRefused(
                () -> embedding.forward(rows, ids, three, table, oneRow, shape),
                "positions: expected 2 x 5, got 1 x 5");
        assertRefused(
                () -> embedding.backward(oneRow, table, rows, ids, three, shape), "dtokens: expected 2 x 5, got 1 x 5");
        var longer = RaggedOffsets.ofLengths(0, 3);
        assertRefused(
                () -> embedding.forward(rows, ids, longer, table, table, shape),
                "sequences: expected lengths up to the 2 rows of the position table, got 3 at 1");
    }

    @Test
    void refusesShapesThatAreNone() {
        assertRefused(() -> EmbeddingShape.tokensOnly(0, 1), "vocabulary, width: expected at least 1, got 0, 1");
        assertRefused(
                () -> new EmbeddingShape(1, 1, Positions.NONE, 1, 1),
                "positionRows: expected 0 with positions NONE, got 1");
        assertRefused(
                () -> new EmbeddingShape(1, 1, Positions.PERIODIC, 0, 1),
                "positionRows: expected at least 1 with positions PERIODIC, got 0");
    }
}
