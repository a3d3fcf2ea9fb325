package org.lemmata.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.model.parity.ParityVectors;
import org.lemmata.oracle.ReferenceValues.Each;

/** Compares the tree and packed signs with an independent implementation and with products of unpacked signs. */
class ParityTreeTest {

    private static Map<Integer, Integer> byNode(JsonNode object) {
        var map = new HashMap<Integer, Integer>();
        object.properties()
                .forEach(field -> map.put(
                        Integer.valueOf(field.getKey()), field.getValue().intValue()));
        return map;
    }

    @Each(file = "parity-tree", count = 2)
    void theTreeIsThatOfTheReference(JsonNode reference) {
        var tree = new ParityTree(integer(reference, "d"), integers(reference.get("leaves")));
        assertThat(tree.size()).isEqualTo(integer(reference, "k"));
        assertThat(IntStream.rangeClosed(0, tree.height()).map(tree::end).toArray())
                .containsExactly(integers(reference.get("d_levels")));
        byNode(reference.get("c1"))
                .forEach((node, child) -> assertThat(tree.first(node)).isEqualTo(child));
        byNode(reference.get("c2"))
                .forEach((node, child) -> assertThat(tree.second(node)).isEqualTo(child));
        byNode(reference.get("level"))
                .forEach((node, level) -> assertThat(tree.level(node)).isEqualTo(level));
        Map<Integer, Integer> parents = byNode(reference.get("parent"));
        for (int node = 1; node <= tree.nodes(); node++) {
            assertThat(tree.parent(node)).as("node %d", node).isEqualTo(parents.getOrDefault(node, 0));
        }
        var inputs = new SignColumns(tree.bits(), reference.get("x_rows").size());
        for (int i = 0; i < inputs.samples(); i++) {
            int[] row = integers(reference.get("x_rows").get(i));
            for (int j = 0; j < row.length; j++) {
                inputs.set(j, i, row[j] < 0);
            }
        }
        SignColumns all = tree.complete(inputs);
        for (int i = 0; i < inputs.samples(); i++) {
            int sample = i;
            assertThat(IntStream.range(0, tree.nodes())
                            .map(m -> all.sign(m, sample))
                            .toArray())
                    .containsExactly(integers(reference.get("labels_rows").get(i)));
        }
    }

    @Test
    void everyNodeIsTheProductOfItsSupport() {
        var random = new Random(5);
        for (int draw = 0; draw < 20; draw++) {
            int bits = random.nextInt(16, 140);
            ParityTree tree = ParityTree.random(bits, 16, random);
            SignColumns all = tree.complete(SignColumns.random(bits, 70, random));
            for (int node = 1; node <= tree.nodes(); node++) {
                Set<Integer> support = support(tree, node);
                assertThat(support).hasSize(1 << tree.level(node));
                for (int i = 0; i < 70; i++) {
                    int product = 1;
                    for (int position : support) {
                        product *= all.sign(position - 1, i);
                    }
                    assertThat(all.sign(node - 1, i)).isEqualTo(product);
                }
            }
        }
    }

    /** The bits below a node. */
    private static Set<Integer> support(ParityTree tree, int node) {
        if (node <= tree.bits()) {
            return Set.of(node);
        }
        var support = new HashSet<>(support(tree, tree.first(node)));
        support.addAll(support(tree, tree.second(node)));
        return support;
    }

    @Test
    void sumsOfProductsAreThoseOfPlainSigns() {
        var random = new Random(8);
        for (int samples : new int[] {1, 63, 64, 65, 1000}) {
            SignColumns signs = SignColumns.random(7, samples, random);
            int[] factors = {0, 3, 6, 3};
            int expected = IntStream.range(0, samples)
                    .map(i -> IntStream.of(factors).map(c -> signs.sign(c, i)).reduce(1, (a, b) -> a * b))
                    .sum();
            assertThat(signs.sumOfProducts(factors)).as("%d samples", samples).isEqualTo(expected);
        }
    }

    @Test
    void signsAreAsLikelyAsEachOther() {
        SignColumns signs = SignColumns.random(40, 100_000, new Random(2));
        for (int column = 0; column < 40; column++) {
            // Five standard deviations.
            assertThat(Math.abs(signs.sumOfProducts(column))).isLessThan(1600);
            assertThat(Math.abs(signs.sumOfProducts(column, (column + 1) % 40))).isLessThan(1600);
        }
    }

    @Test
    void everyWordIsThereOnce() {
        SignColumns every = ParityVectors.every(7);
        assertThat(IntStream.range(0, 128)
                        .map(i -> IntStream.range(0, 7)
                                .map(c -> every.sign(c, i) < 0 ? 1 << c : 0)
                                .sum()))
                .doesNotHaveDuplicates()
                .hasSize(128);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "4; 1,2,3; subset: expected a power of two of positions, at least 2, got 3",
                "4; 1; subset: expected a power of two of positions, at least 2, got 1",
                "2; 1,2,3,4; subset: expected at most 2 positions, got 4",
                "4; 1,5; subset: expected positions from 1 to 4, got 5",
                "4; 0,1; subset: expected positions from 1 to 4, got 0",
                "4; 2,2; subset: expected each position once, got 2 twice",
                "1; 1,2; bits: expected 2 to 4096, got 1"
            })
    void whatIsNoSubsetIsRefused(int bits, String subset, String message) {
        int[] positions =
                Arrays.stream(subset.split(",")).mapToInt(Integer::parseInt).toArray();
        assertRefused(() -> new ParityTree(bits, positions), message);
    }
}
