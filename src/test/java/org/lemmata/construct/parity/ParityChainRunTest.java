package org.lemmata.construct.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.Constructions;

class ParityChainRunTest {

    private static Function<String, Map<String, Object>> chain(Map<String, String> settings) {
        return Constructions.CATALOGUE.entry("parity-chain").create(settings).answers(construction -> {
            throw new AssertionError("no model of a construction is asked for");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "teacher-forcing, 16, 8",
        "self-consistency, 16, 8",
        "teacher-forcing, 20, 4",
        "self-consistency, 32, 16"
    })
    void everyAnswerIsTheParityOfTheSubset(String method, int bits, int size) {
        var random = new Random(21);
        List<Integer> all =
                new ArrayList<>(IntStream.rangeClosed(1, bits).boxed().toList());
        Collections.shuffle(all, random);
        List<Integer> subset = all.subList(0, size);
        Function<String, Map<String, Object>> chain = chain(Map.of(
                "bits",
                String.valueOf(bits),
                "subset",
                subset.toString().replaceAll("[\\[\\]]", ""),
                "method",
                method,
                "seed",
                "5"));
        for (int draw = 0; draw < 50; draw++) {
            var line = new StringBuilder();
            for (int j = 0; j < bits; j++) {
                line.append(random.nextInt(2));
            }
            int ones = 0;
            for (int position : subset) {
                ones += line.charAt(position - 1) - '0';
            }
            Map<String, Object> answer = chain.apply(line.toString());
            assertThat(answer.keySet()).containsExactly("target", "answer", "prediction", "chain");
            assertThat(List.of(answer.get("target"), answer.get("answer")))
                    .as("%s", line)
                    .containsOnly(ones % 2 == 0 ? 1 : -1);
            assertThat(answer.get("chain"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(size - 1)
                    .endsWith(answer.get("prediction"));
        }
    }

    /** A model learned from few samples makes errors, so its answer must not replace the true parity. */
    @Test
    void theTargetIsTheTruthWhereTheModelErrs() {
        Map<String, Object> answer = chain(Map.of("samples", "100")).apply("0110100110010110");
        assertThat(answer).containsEntry("target", 1).containsEntry("answer", -1);
    }

    @Test
    void theSameSeedGivesTheSameChain() {
        Map<String, String> settings = Map.of("samples", "500", "seed", "9");
        String line = "0110100110010110";
        assertThat(chain(settings).apply(line)).isEqualTo(chain(settings).apply(line));
        assertThat(chain(Map.of("samples", "500", "seed", "10")).apply(line))
                .isNotEqualTo(chain(settings).apply(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0101", "010101010101010x", "0101 010101010101", "01010101010101012"})
    void whatIsNoInputIsRefused(String line) {
        Function<String, Map<String, Object>> chain = chain(Map.of("samples", "100"));
        assertThatThrownBy(() -> chain.apply(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("input: expected ");
    }
}
