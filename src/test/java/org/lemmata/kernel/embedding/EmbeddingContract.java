package org.lemmata.kernel.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.ExactEmbedding;

/** What every {@link Embedding} must do. */
abstract class EmbeddingContract {

    private static final int LANES = Species.FLOAT.length();
    private static final float SENTINEL = -12345;
    private static final long SEED = 20260404;
    private static final double UNIT = 0x1p-24;

    abstract Embedding embedding();

    /** Tables that stand in one array, as those of a model do, with sentinels before, between and after them. */
    static final class Problem {

        final EmbeddingShape shape;
        final int[] lengths;
        final RaggedOffsets sequences;
        final int[] ids;
        final float[] parameters;
        final int tokenOffset = 3;
        final int positionOffset;
        final float[] outputs;
        private final Matrix tokens;
        private final Matrix table;
        private final Matrix ofOutputs = Matrix.empty();

        Problem(EmbeddingShape shape, int[] lengths, RandomGenerator random) {
            this.shape = shape;
            this.lengths = lengths;
            sequences = RaggedOffsets.ofLengths(lengths);
            ids = random.ints(sequences.total(), 0, shape.vocabulary()).toArray();
            positionOffset = tokenOffset + shape.vocabulary() * shape.width() + 2;
            parameters = new float[positionOffset + shape.positionRows() * shape.width() + 1];
            outputs = new float[sequences.total() * shape.width() + 2];
            Arrays.fill(parameters, SENTINEL);
            Arrays.fill(outputs, SENTINEL);
            fill(parameters, tokenOffset, shape.vocabulary() * shape.width(), random);
            fill(parameters, positionOffset, shape.positionRows() * shape.width(), random);
            int width = shape.width();
            tokens = Matrix.of(parameters, tokenOffset, shape.vocabulary(), width, width);
            table = Matrix.of(parameters, positionOffset, shape.positionRows(), width, width);
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

        static void fill(float[] x, int offset, int length, RandomGenerator random) {
            for (int i = offset; i < offset + length; i++) {
                x[i] = (float) random.nextDouble(-2, 2);
            }
        }

        void forward(Embedding embedding) {
            embedding.forward(ofOutputs.at(outputs, ids.length, shape.width()), ids, sequences, tokens, table, shape);
        }

        void backward(Embedding embedding, float[] dOutputs) {
            ofOutputs.at(dOutputs, ids.length, shape.width());
            embedding.backward(tokens, table, ofOutputs, ids, sequences, shape);
        }

        float[] randomOutputs(RandomGenerator random) {
            float[] dOutputs = new float[sequences.total() * shape.width()];
            fill(dOutputs, 0, dOutputs.length, random);
            return dOutputs;
        }

        int[] positions() {
            return ExactEmbedding.positions(lengths, Math.max(1, shape.positionRows()));
        }

        double[][] matrix(float[] x, int offset, int rows) {
            double[][] matrix = new double[rows][shape.width()];
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < shape.width(); j++) {
                    matrix[i][j] = x[offset + i * shape.width() + j];
                }
            }
            return matrix;
        }
    }

    private static void expect(String name, float actual, double exact, double bound) {
        if (!(Math.abs(actual - exact) <= bound)) {
            assertThat((double) actual).as("%s, error bound %s", name, bound).isEqualTo(exact);
        }
    }

    private void check(String name, Problem problem, long seed) {
        checkForward(name, problem);
        checkBackward(name, problem, seed);
    }

    /** One rounding, or none. */
    private void checkForward(String name, Problem problem) {
        EmbeddingShape shape = problem.shape;
        float[] before = problem.parameters.clone();
        problem.forward(embedding());
        double[][] exact = ExactEmbedding.forward(
                problem.ids,
                problem.positions(),
                problem.matrix(before, problem.tokenOffset, shape.vocabulary()),
                problem.matrix(before, problem.positionOffset, shape.positionRows()),
                shape.tokenScale());
        for (int i = 0; i < exact.length; i++) {
            for (int j = 0; j < shape.width(); j++) {
                float actual = problem.outputs[i * shape.width() + j];
                assertThat(actual).as("%s: y[%d][%d]", name, i, j).isEqualTo((float) exact[i][j]);
            }
        }
        assertThat(Arrays.copyOfRange(problem.outputs, exact.length * shape.width(), problem.outputs.length))
                .as("%s: behind the outputs", name)
                .containsOnly(SENTINEL);
        assertThat(problem.parameters).as("%s: tables", name).isEqualTo(before);
    }

    /** n additions, each of at most u = 2^-24 of the sum of the absolute terms, what was there before included. */
    private void checkBackward(String name, Problem problem, long seed) {
        EmbeddingShape shape = problem.shape;
        float[] before = problem.parameters.clone();
        float[] dOutputs = problem.randomOutputs(new SplittableRandom(seed));
        float[] inputs = dOutputs.clone();
        problem.backward(embedding(), dOutputs);
        assertThat(dOutputs).as("%s: dOutputs", name).isEqualTo(inputs);
        double[][] dy = problem.matrix(dOutputs, 0, problem.sequences.total());
        checkTable(name + ": dE", problem, before, problem.tokenOffset, shape.vocabulary(), problem.ids, dy, true);
        checkTable(
                name + ": dP",
                problem,
                before,
                problem.positionOffset,
                shape.positionRows(),
                problem.positions(),
                dy,
                false);
        float[] surroundings = problem.parameters.clone();
        int tokens = shape.vocabulary() * shape.width();
        int positions = shape.positionRows() * shape.width();
        Arrays.fill(surroundings, problem.tokenOffset, problem.tokenOffset + tokens, SENTINEL);
        Arrays.fill(surroundings, problem.positionOffset, problem.positionOffset + positions, SENTINEL);
        assertThat(surroundings).as("%s: surroundings", name).containsOnly(SENTINEL);
    }

    private static void checkTable(
            String name,
            Problem problem,
            float[] before,
            int offset,
            int rows,
            int[] keys,
            double[][] dy,
            boolean tokens) {
        if (rows == 0 || dy.length == 0) {
            return;
        }
        double scale = tokens ? problem.shape.tokenScale() : 1;
        double[][] exact = ExactEmbedding.gradient(rows, keys, dy, scale, false);
        double[][] sizes = ExactEmbedding.gradient(rows, keys, dy, scale, true);
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < problem.shape.width(); j++) {
                int at = offset + row * problem.shape.width() + j;
                double bound = (dy.length + 1) * UNIT * (sizes[row][j] + Math.abs(before[at]));
                expect(name + "[" + row + "][" + j + "]", problem.parameters[at], before[at] + exact[row][j], bound);
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
            check("seed " + seed + ", width " + width, problem, seed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 97, 128, 257})
    void primesAndPowersOfTwo(int width) {
        for (Positions positions : Positions.values()) {
            Problem problem = Problem.of(width, 11, positions, 1, new int[] {3, 40, 2}, SEED);
            check("seed " + SEED + ", width " + width + ", " + positions, problem, SEED);
        }
    }

    /** More rows than a chunk holds: chunks start within sequences, at their ends, and at empty ones. */
    @ParameterizedTest
    @EnumSource(Positions.class)
    void severalChunks(Positions positions) {
        int[] lengths = {100, 0, 924, 0, 0, 700, 1400};
        check(positions + ", seed " + SEED, Problem.of(32, 5, positions, 3, lengths, SEED), SEED);
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
            check("seed " + seed + ", run " + i + ", width " + width, problem, seed);
        }
    }

    /** The gradients against central differences of a loss in binary64. */
    @ParameterizedTest
    @EnumSource(Positions.class)
    void gradientsAreCentralDifferences(Positions positions) {
        Problem problem = Problem.of(LANES + 3, 3, positions, 1.5f, new int[] {4, 6, 1}, SEED);
        EmbeddingShape shape = problem.shape;
        double[][] tokens = problem.matrix(problem.parameters, problem.tokenOffset, shape.vocabulary());
        double[][] table = problem.matrix(problem.parameters, problem.positionOffset, shape.positionRows());
        float[] dOutputs = problem.randomOutputs(new SplittableRandom(SEED));
        double[][] dy = problem.matrix(dOutputs, 0, problem.sequences.total());
        Arrays.fill(problem.parameters, 0);
        problem.backward(embedding(), dOutputs);
        for (boolean ofTokens : new boolean[] {true, false}) {
            double[][] varied = ofTokens ? tokens : table;
            int offset = ofTokens ? problem.tokenOffset : problem.positionOffset;
            for (int row = 0; row < varied.length; row++) {
                for (int j = 0; j < shape.width(); j++) {
                    double here = varied[row][j];
                    double[] losses = new double[2];
                    for (int side = 0; side < 2; side++) {
                        varied[row][j] = here + (side == 0 ? 1 : -1);
                        double[][] y = ExactEmbedding.forward(
                                problem.ids, problem.positions(), tokens, table, shape.tokenScale());
                        losses[side] = ExactEmbedding.loss(dy, y);
                    }
                    varied[row][j] = here;
                    float actual = problem.parameters[offset + row * shape.width() + j];
                    expect(positions + " [" + row + "][" + j + "]", actual, (losses[0] - losses[1]) / 2, 1e-4);
                }
            }
        }
    }

    /** A NaN or infinity shows in the rows that take it, and in no other. */
    @Test
    void specialValuesStayInTheirRow() {
        for (float special : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, -0f}) {
            Problem problem = Problem.of(LANES + 3, 3, Positions.NONE, 1, new int[] {4, 6, 1}, SEED);
            int width = problem.shape.width();
            Arrays.fill(problem.parameters, problem.tokenOffset, problem.tokenOffset + width, special);
            problem.forward(embedding());
            for (int i = 0; i < problem.sequences.total(); i++) {
                for (int j = 0; j < width; j++) {
                    float y = problem.outputs[i * width + j];
                    assertThat(Float.compare(y, special) == 0)
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
            float[] parameters = problem.parameters.clone();
            float[] outputs = problem.outputs.clone();
            String message = "ids: expected 0 to 3, got " + bad + " at 4";
            assertThatThrownBy(() -> problem.forward(embedding()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
            assertThatThrownBy(() -> problem.backward(embedding(), outputs))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
            assertThat(problem.parameters).isEqualTo(parameters);
            assertThat(problem.outputs).isEqualTo(outputs);
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
        assertThatThrownBy(() -> embedding.forward(rows, new int[2], three, table, table, shape))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ids: expected 3, the sum of the lengths, got 2");
        assertThatThrownBy(() -> embedding.forward(table, ids, three, table, table, shape))
                .hasMessage("y: expected 3 x 5, got 2 x 5");
        assertThatThrownBy(() -> embedding.forward(rows, ids, three, oneRow, table, shape))
                .hasMessage("tokens: expected 2 x 5, got 1 x 5");
        assertThatThrownBy(() -> embedding.forward(rows, ids, three, table, oneRow, shape))
                .hasMessage("positions: expected 2 x 5, got 1 x 5");
        assertThatThrownBy(() -> embedding.backward(oneRow, table, rows, ids, three, shape))
                .hasMessage("dtokens: expected 2 x 5, got 1 x 5");
        var longer = RaggedOffsets.ofLengths(0, 3);
        assertThatThrownBy(() -> embedding.forward(rows, ids, longer, table, table, shape))
                .hasMessage("sequences: expected lengths up to the 2 rows of the position table, got 3 at 1");
    }

    @Test
    void refusesShapesThatAreNone() {
        assertThatThrownBy(() -> EmbeddingShape.tokensOnly(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("vocabulary, width: expected at least 1, got 0, 1");
        assertThatThrownBy(() -> new EmbeddingShape(1, 1, Positions.NONE, 1, 1))
                .hasMessage("positionRows: expected 0 with positions NONE, got 1");
        assertThatThrownBy(() -> new EmbeddingShape(1, 1, Positions.PERIODIC, 0, 1))
                .hasMessage("positionRows: expected at least 1 with positions PERIODIC, got 0");
    }
}
