package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.statistics.inference.ChiSquareTest;

/** Compares draws with their law by Pearson's chi-square test. */
public final class Draws {

    public static final long FIXED_SEED = 4711;

    /**
     * The level for fixed seeds: a correct sampler fails for one in 10^4 seeds, and a fixed seed always gives the same
     * result.
     */
    public static final double FIXED_LEVEL = 1e-4;

    /** The level for fresh seeds, which is so small that a correct sampler practically never fails. */
    public static final double FRESH_LEVEL = 1e-9;

    private Draws() {}

    public static Map<String, Double> uniform(Collection<String> texts) {
        return texts.stream().collect(Collectors.toMap(Function.identity(), _ -> 1.0 / texts.size()));
    }

    /** The probability that draws by {@code law} give counts at least as uneven as those of {@code draw}. */
    public static double pValue(Map<String, Double> law, int draws, Supplier<String> draw) {
        Map<String, Integer> places = new HashMap<>();
        double[] expected = new double[law.size()];
        law.forEach((text, probability) -> {
            expected[places.size()] = draws * probability;
            places.put(text, places.size());
        });
        assertThat(Arrays.stream(expected).sum()).isCloseTo(draws, within(1e-6 * draws));
        long[] counts = new long[expected.length];
        for (int i = 0; i < draws; i++) {
            String text = draw.get();
            int place = places.getOrDefault(text, -1);
            assertThat(place).as(text).isNotNegative();
            counts[place]++;
        }
        return ChiSquareTest.withDefaults().test(expected, counts).getPValue();
    }
}
