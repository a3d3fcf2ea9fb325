package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

class ExampleStreamTest {

    private static ExampleStream online(long seed, Split split) {
        return new OnlineExamples(random -> BigramChain.sample(random, 100_000_000), seed, split);
    }

    /** The examples (0), ..., (n - 1). */
    private static List<Example> numbered(int n) {
        return IntStream.range(0, n).mapToObj(Example::nextToken).toList();
    }

    private static List<Integer> numbers(List<Example> examples) {
        return examples.stream().map(example -> example.inputs()[0]).toList();
    }

    @ParameterizedTest
    @EnumSource(Split.class)
    void aPositionIsAllThereIsToSave(Split split) {
        for (ExampleStream stream : List.of(online(1, split), new ShuffledExamples(numbered(7), 1, split))) {
            List<Example> examples = stream.take(30);
            assertThat(stream.position()).isEqualTo(30);
            for (int position : new int[] {29, 0, 6, 7, 8, 13, 14, 20, 3}) {
                stream.seek(position);
                assertThat(stream.next()).as("%s, %d", stream, position).isEqualTo(examples.get(position));
                assertThat(stream.position()).isEqualTo(position + 1);
                assertThat(stream.take(30 - position - 1)).isEqualTo(examples.subList(position + 1, 30));
            }
            assertRefused(() -> stream.seek(-1), "position: expected at least 0, got -1");
        }
    }

    @Test
    void seedsAndSplitsHaveExamplesOfTheirOwn() {
        Set<Example> seen = new HashSet<>();
        Set<List<Integer>> orders = new HashSet<>();
        int longWords = 0;
        for (long seed = 1; seed <= 2; seed++) {
            for (Split split : Split.values()) {
                for (Example example : online(seed, split).take(100)) {
                    // Short words may be equal by chance.
                    if (example.length() > 4) {
                        longWords++;
                        assertThat(seen.add(example)).isTrue();
                    }
                }
                assertThat(orders.add(numbers(new ShuffledExamples(numbered(20), seed, split).take(20))))
                        .isTrue();
            }
        }
        assertThat(longWords).isGreaterThan(200);
    }

    @Test
    void drawingAndShufflingDoNotShareNumbers() {
        Set<Integer> streams = new HashSet<>();
        for (Split split : Split.values()) {
            assertThat(streams.add(split.drawing())).isTrue();
            assertThat(streams.add(split.shuffling())).isTrue();
        }
        assertThat(streams).allMatch(stream -> stream < 0);
    }

    @Test
    void anEpochHasEachExampleOnce() {
        var stream = new ShuffledExamples(numbered(50), 3, Split.TRAIN);
        Set<List<Integer>> orders = new HashSet<>();
        for (int epoch = 0; epoch < 5; epoch++) {
            List<Integer> order = numbers(stream.take(50));
            assertThat(order)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 50).boxed().toList());
            assertThat(orders.add(order)).isTrue();
        }
    }

    @Test
    void batchesEndWithTheirEpoch() {
        int[] whole =
                new ShuffledExamples(numbered(10), 3, Split.TRAIN).nextBatch(30).ids();
        var stream = new ShuffledExamples(numbered(10), 3, Split.TRAIN).inEpochs();
        int from = 0;
        for (int size : new int[] {4, 4, 2, 4, 4, 2}) {
            assertThat(stream.nextBatch(4).ids()).isEqualTo(Arrays.copyOfRange(whole, from, from + size));
            from += size;
        }
        stream.seek(18);
        assertThat(stream.nextBatch(100).ids()).isEqualTo(Arrays.copyOfRange(whole, 18, 20));
        assertThat(stream.nextBatch(100).ids()).isEqualTo(Arrays.copyOfRange(whole, 20, 30));
        assertThat(stream.position()).isEqualTo(30);
    }

    @Test
    void allOrdersAreEquallyLikely() {
        var stream = new ShuffledExamples(numbered(4), 5, Split.TRAIN);
        Map<List<Integer>, Long> counts = new HashMap<>();
        for (int epoch = 0; epoch < 24_000; epoch++) {
            counts.merge(numbers(stream.take(4)), 1L, Long::sum);
        }
        assertThat(counts).hasSize(24);
        long[] observed = counts.values().stream().mapToLong(Long::longValue).toArray();
        assertThat(ChiSquareTest.withDefaults().test(observed).getPValue()).isBetween(1e-4, 1 - 1e-4);
    }

    @Test
    void distinctExamplesAreDistinctAndNotExcluded() {
        // 25 words: 20 pairs of different tokens and 5 of equal ones.
        ExampleStream stream =
                new OnlineExamples(random -> Example.nextToken(random.nextInt(5), random.nextInt(5)), 7, Split.TRAIN);
        List<Example> first = stream.takeDistinct(15, example -> false);
        assertThat(first).hasSize(15).doesNotHaveDuplicates();
        List<Example> rest = stream.takeDistinct(10, first::contains);
        assertThat(rest).hasSize(10).doesNotHaveDuplicates().doesNotContainAnyElementsOf(first);
        assertRefused(
                () -> stream.takeDistinct(11, first::contains),
                "distinct examples: expected 11, found 10 and no other in 1330 draws");
        stream.seek(0);
        assertThat(stream.takeDistinct(15, example -> false)).isEqualTo(first);
    }

    @Test
    void batchesHoldAllExamplesInOrder() {
        List<Example> examples = online(1, Split.VALIDATION).take(7);
        List<Batch> batches = ExampleStream.batches(examples, 3);
        assertThat(batches.stream().map(batch -> batch.sequences().count())).containsExactly(3, 3, 1);
        List<Integer> targets = new ArrayList<>();
        batches.forEach(batch -> IntStream.of(batch.targets()).forEach(targets::add));
        assertThat(targets)
                .isEqualTo(examples.stream()
                        .flatMap(example -> IntStream.of(example.targets()).boxed())
                        .toList());
        assertRefused(() -> ExampleStream.batches(examples, 0), "size: expected at least 1, got 0");
        assertRefused(() -> new ShuffledExamples(List.of(), 1, Split.TRAIN), "examples: expected at least 1, got 0");
    }
}
