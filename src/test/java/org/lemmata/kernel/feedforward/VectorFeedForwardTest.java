package org.lemmata.kernel.feedforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.thread.Workers;

class VectorFeedForwardTest extends ScalarFeedForwardTest {

    /** A layer with blocks of 64 rows, so that a few hundred rows are several blocks, also for large weights. */
    @Override
    FeedForward layer() {
        return layer(Workers.caller());
    }

    private static FeedForward layer(Workers workers) {
        return FeedForward.vector(workers, 1, 64);
    }

    /** Small and large weights, in several blocks. */
    @Test
    void everyNumberOfThreadsGivesTheSameBits() {
        for (int hidden : new int[] {40, 900}) {
            FeedForwardShape shape = new FeedForwardShape(
                    20, hidden, 20, Activation.Kind.GELU, Normalization.Kind.ROOT_MEAN_SQUARE, 1e-5f);
            Threads.assertSameBits(workers -> {
                FeedForwardCase run =
                        new FeedForwardCase(shape, 333, false, 1, new SplittableRandom(1)).run(layer(workers));
                return Stream.concat(Stream.of(run.y()), run.gradients().stream())
                        .toList();
            });
        }
    }

    /** With large weights, several blocks add to the same gradients; the last block is incomplete. */
    @ParameterizedTest
    @EnumSource
    void blocksOfGreatWeightsAreThoseOfTheReference(Normalization.Kind kind) {
        assertIsThatOfTheReference(FeedForwardCase.shape(20, 900, 20, Activation.Kind.GELU, kind), 197, layer());
    }

    /** There are more blocks than chunks, so two blocks, and finally one row, add to the same sums. */
    @Test
    void manyBlocksAreThoseOfTheReference() {
        FeedForwardShape shape = FeedForwardCase.shape(3, 9, 2, Activation.Kind.GELU, Normalization.Kind.LAYER);
        assertIsThatOfTheReference(shape, 33 * 64 + 1, layer());
    }

    /** The default blocks, with small and large weights. */
    @ParameterizedTest
    @ValueSource(ints = {120, 1200})
    void ordinaryBlocksAreRightToo(int hidden) {
        FeedForwardShape shape = new FeedForwardShape(30, hidden, 30, Activation.Kind.TANH_GELU);
        assertIsThatOfTheReference(shape, 700, FeedForward.vector(Workers.caller()));
    }

    private static void assertIsThatOfTheReference(FeedForwardShape shape, int rows, FeedForward layer) {
        FeedForwardCase actual = new FeedForwardCase(shape, rows, false, 2, new SplittableRandom(3)).run(layer);
        actual.checkOutputs();
        FeedForwardCase expected =
                new FeedForwardCase(shape, rows, false, 2, new SplittableRandom(3)).run(FeedForward.scalar());
        for (int k = 0; k < expected.gradients().size(); k++) {
            assertThat(actual.gradients().get(k))
                    .as("gradients of part %d", k)
                    .containsExactly(expected.gradients().get(k), within(2e-3f));
        }
    }

    /** A new thread has no arrays yet, so the call must make them as large as it needs. */
    @Test
    void theFirstCallOfAThreadMayBeInference() throws InterruptedException {
        FeedForwardShape shape = FeedForwardCase.shape(20, 40, 20, Activation.Kind.GELU, Normalization.Kind.LAYER);
        FeedForwardCase expected = new FeedForwardCase(shape, 50, false, 1, new SplittableRandom(6)).run(layer());
        var inferred = new AtomicReference<float[]>();
        Thread thread = new Thread(() -> inferred.set(expected.inferred(layer())));
        thread.start();
        thread.join();
        assertThat(inferred.get()).isEqualTo(expected.y());
    }

    /** Small weights in several blocks. */
    @Tag("allocation")
    @Test
    void aCallAllocatesNothing() {
        FeedForwardShape shape = FeedForwardCase.shape(20, 40, 20, Activation.Kind.GELU, Normalization.Kind.LAYER);
        FeedForwardCase layerCase = new FeedForwardCase(shape, 150, false, 1, new SplittableRandom(5));
        Allocation.assertNoneWithThreads(workers -> {
            FeedForward layer = layer(workers);
            return () -> layerCase.run(layer);
        });
    }
}
