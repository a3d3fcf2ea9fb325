package org.lemmata.model.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.ModelCase;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;

class FlopCountTest {

    /** Hayakawa and Sato (2024), appendix B: no output projection, one head, no positions. */
    private static final Architecture HIERARCHY = new Architecture(
            new Architecture.Size(18, 60, 30, 10),
            PositionOptions.none(),
            AttentionOptions.softmax(1, 30).withScores(1, LogLength.NONE, 0).withOutputProjection(false),
            new FeedForwardOptions(30, Activation.Kind.RELU, false, false),
            new NormalizationOptions(Placement.INNER, Normalization.Kind.ROOT_MEAN_SQUARE, 1e-5f, true, true),
            true,
            OutputOptions.nextToken(false),
            0);

    /** Counts multiplications and additions by looping over them. */
    private static final class Counter {

        private final Architecture architecture;
        private double operations;

        Counter(Architecture architecture) {
            this.architecture = architecture;
        }

        private void inner(int length) {
            operations += 2.0 * length;
        }

        private void product(int rows, int columns, int inner) {
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    inner(inner);
                }
            }
        }

        private void map(int tokens, int in, int out, boolean backward) {
            product(tokens, out, in);
            if (backward) {
                product(in, out, tokens);
                product(tokens, in, out);
            }
        }

        /** Every pair of a query and a position that it sees, for each head; a last query sees all positions. */
        private void attention(int tokens, boolean lastAlone, boolean backward) {
            AttentionOptions options = architecture.attention();
            boolean causal = options.mask() == Mask.CAUSAL;
            int columns = options.headWidth() + (options.identities() ? architecture.width() : 0);
            for (int head = 0; head < options.heads(); head++) {
                for (int query = lastAlone ? tokens - 1 : 0; query < tokens; query++) {
                    for (int seen = 0; seen < (causal ? query + 1 : tokens); seen++) {
                        // Forward: score and value. Backward: the score again, and the gradients of weight, value,
                        // query and key.
                        IntStream.range(0, backward ? 7 : 2).forEach(product -> inner(columns));
                    }
                }
            }
        }

        double sequence(int tokens, int rows, boolean backward) {
            AttentionOptions options = architecture.attention();
            int width = architecture.width();
            boolean scores = options.weighting() != Weighting.UNIFORM;
            for (int layer = 0; layer < architecture.layers(); layer++) {
                boolean alone = layer == architecture.layers() - 1 && 2 * rows <= tokens && architecture.dropout() == 0;
                boolean lastAlone =
                        alone && architecture.output().kind() == OutputOptions.Kind.REGRESSION && !options.identities();
                map(tokens, width, options.width(), backward);
                if (scores) {
                    map(lastAlone ? rows : tokens, width, options.width(), backward);
                    map(tokens, width, options.width(), backward);
                    attention(tokens, lastAlone, backward);
                }
                if (options.outputProjection()) {
                    map(lastAlone ? rows : tokens, options.width(), width, backward);
                }
                FeedForwardOptions feedForward = architecture.feedForward();
                if (feedForward != null) {
                    map(alone ? rows : tokens, width, feedForward.hidden(), backward);
                    map(alone ? rows : tokens, feedForward.hidden(), width, backward);
                }
            }
            map(rows, width, architecture.outputs(), backward);
            return operations;
        }
    }

    @ParameterizedTest
    @MethodSource("org.lemmata.model.ModelCase#alone")
    void countsWhatOneOperationAfterTheOtherComesTo(ModelCase model) {
        FlopCount count = new FlopCount(model.architecture());
        for (int tokens : new int[] {1, 2, 7}) {
            double pairs = count.pairs(tokens);
            for (int rows : new int[] {1, tokens / 2, (tokens + 1) / 2}) {
                assertThat(count.forward(tokens, pairs, rows))
                        .isEqualTo(new Counter(model.architecture()).sequence(tokens, rows, false));
                assertThat(count.gradient(tokens, pairs, rows))
                        .isEqualTo(new Counter(model.architecture()).sequence(tokens, rows, true));
            }
        }
    }

    @Test
    void countsThePapersModels() {
        for (Architecture paper : new Architecture[] {HIERARCHY, Architecture.gpt2(2, 32, 64, 2, 2, 128, 0)}) {
            FlopCount count = new FlopCount(paper);
            int tokens = paper.maxLength();
            assertThat(count.gradient(tokens, count.pairs(tokens), tokens))
                    .isEqualTo(new Counter(paper).sequence(tokens, tokens, true));
        }
    }

    /**
     * Richard's model of width 128 with 4 layers on 8 words of 32 brackets: the value that its benchmark has always
     * stated.
     */
    @Test
    void countsWhatTheBenchmarkOfTrainingStates() {
        FlopCount count = new FlopCount(Architecture.gpt2(2, 32, 128, 4, 2, 1024, 0));
        double maps = 2.0 * 256 * (4 * (4 * 128 * 128 + 2 * 128 * 1024) + 128 * 2);
        double attention = 2.0 * 8 * (32 * 33 / 2) * 4 * 2 * 128;
        assertThat(count.gradient(256, 8 * count.pairs(32), 256))
                .isCloseTo(3 * maps + 3.5 * attention, within(1e-3))
                .isEqualTo(2_043_936_768.0);
    }

    /**
     * Each weight of a decoder is multiplied and added once per token, which gives 6 operations per token including
     * gradients.
     */
    @Test
    void comesToSixOperationsAParameterAndToken() {
        Architecture decoder = Architecture.gpt2(2, 4, 256, 4, 4, 1024, 0);
        FlopCount count = new FlopCount(decoder);
        assertThat(count.gradient(4, count.pairs(4), 4) / (6.0 * 4 * decoder.parameterCount()))
                .isBetween(0.99, 1.01);
    }
}
