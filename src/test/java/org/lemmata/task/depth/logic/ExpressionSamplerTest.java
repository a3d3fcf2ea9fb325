package org.lemmata.task.depth.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.oracle.Draws;

/** The distribution of algorithm 1: depths, leaves, tokens and tables. */
class ExpressionSamplerTest {

    private static ExpressionSampler sampler(int variables, boolean constants, int k, int q, long seed) {
        return new ExpressionSampler(
                new LeafAlphabet(new BooleanLanguage(variables), constants), k, q, new SplittableRandom(seed));
    }

    /** P(leaves of random_clause(q) = n), by convolution. */
    private static double[] leafLaw(int q) {
        double[] beforeLast = {0, 1};
        double[] last = {0, 1};
        for (int depth = 1; depth <= q; depth++) {
            double[] side = new double[last.length];
            for (int n = 0; n < last.length; n++) {
                side[n] = (last[n] + (n < beforeLast.length ? beforeLast[n] : 0)) / 2;
            }
            double[] next = new double[2 * side.length - 1];
            for (int a = 0; a < side.length; a++) {
                for (int b = 0; b < side.length; b++) {
                    next[a + b] += side[a] * side[b];
                }
            }
            beforeLast = last;
            last = next;
        }
        return last;
    }

    /** Pearson's test; counts with small expectations are pooled, and those of probability 0 must be 0. */
    private static double pValue(double[] probabilities, long[] counts) {
        long draws = Arrays.stream(counts).sum();
        List<Double> expected = new ArrayList<>();
        List<Long> observed = new ArrayList<>();
        double pooled = 0;
        long pooledCount = 0;
        for (int i = 0; i < counts.length; i++) {
            double probability = i < probabilities.length ? probabilities[i] : 0;
            assertThat(probability > 0 || counts[i] == 0)
                    .as("%d of probability 0", i)
                    .isTrue();
            pooled += probability * draws;
            pooledCount += counts[i];
            if (pooled >= 10) {
                expected.add(pooled);
                observed.add(pooledCount);
                pooled = 0;
                pooledCount = 0;
            }
        }
        int last = expected.size() - 1;
        expected.set(last, expected.get(last) + pooled);
        observed.set(last, observed.get(last) + pooledCount);
        if (expected.size() == 1) {
            return 1;
        }
        return ChiSquareTest.withDefaults()
                .test(
                        expected.stream().mapToDouble(Double::doubleValue).toArray(),
                        observed.stream().mapToLong(Long::longValue).toArray())
                .getPValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    @Tag("long")
    void depthsAndLeavesOfAMillionClausesFollowTheirLaws(int q) {
        int draws = 1_000_000;
        var language = new BooleanLanguage(4);
        ExpressionSampler sampler = sampler(4, true, 1, q, Draws.FIXED_SEED);
        var law = new ClauseLaw(1, q);
        long[] depths = new long[q + 2];
        double[] leafLaw = leafLaw(q);
        long[] leaves = new long[leafLaw.length];
        for (int draw = 0; draw < draws; draw++) {
            sampler.draw();
            int[] ids = sampler.ids();
            int open = 0;
            int depth = 0;
            int leafCount = 0;
            for (int i = 0; i < ids.length; i++) {
                open += ids[i] == language.open() ? 1 : ids[i] == language.close() ? -1 : 0;
                depth = Math.max(depth, open);
                leafCount += language.isLeaf(ids[i]) ? 1 : 0;
            }
            depths[depth]++;
            leaves[leafCount]++;
        }
        double[] probabilities =
                IntStream.rangeClosed(0, q).mapToDouble(law::probability).toArray();
        assertThat(pValue(probabilities, depths))
                .as("depths, seed %d", Draws.FIXED_SEED)
                .isGreaterThan(Draws.FIXED_LEVEL);
        assertThat(pValue(leafLaw, leaves))
                .as("leaves, seed %d", Draws.FIXED_SEED)
                .isGreaterThan(Draws.FIXED_LEVEL);
        // The law of leaves has the mean of the vectors.
        assertThat(IntStream.range(0, leafLaw.length)
                        .mapToDouble(n -> n * leafLaw[n])
                        .sum())
                .isCloseTo(GeneratorVectors.all().get("expected_leaves").get(q).asDouble(), within(1e-9));
    }

    /** The probability of every clause of p0 and ~p0. */
    private static Map<String, Double> clauses(int q) {
        Map<String, Double> law = new HashMap<>();
        if (q <= 0) {
            law.put("p0", 0.5);
            law.put("~p0", 0.5);
            return law;
        }
        Map<String, Double> sides = new HashMap<>();
        clauses(q - 1).forEach((clause, probability) -> sides.merge(clause, probability / 2, Double::sum));
        clauses(q - 2).forEach((clause, probability) -> sides.merge(clause, probability / 2, Double::sum));
        sides.forEach((left, ofLeft) -> sides.forEach((right, ofRight) -> {
            law.put("(" + left + "&" + right + ")", ofLeft * ofRight / 2);
            law.put("(" + left + "|" + right + ")", ofLeft * ofRight / 2);
        }));
        return law;
    }

    /** Tests the joint distribution, in which each text has its probability, not only depths and counts. */
    @ParameterizedTest
    @CsvSource({"1,1,8", "1,2,200", "2,1,128"})
    void everyTextFollowsTheLaw(int k, int q, int texts) {
        Map<String, Double> law = new HashMap<>();
        clauses(q).forEach((first, ofFirst) -> {
            if (k == 1) {
                law.put(first, ofFirst);
            } else {
                clauses(q).forEach((second, ofSecond) -> {
                    law.put(first + "&" + second, ofFirst * ofSecond / 2);
                    law.put(first + "|" + second, ofFirst * ofSecond / 2);
                });
            }
        });
        assertThat(law).hasSize(texts);
        var language = new BooleanLanguage(1);
        ExpressionSampler sampler = sampler(1, false, k, q, Draws.FIXED_SEED);
        assertThat(Draws.pValue(law, 400_000, () -> {
                    sampler.draw();
                    return language.text(sampler.ids());
                }))
                .as("seed %d", Draws.FIXED_SEED)
                .isGreaterThan(Draws.FIXED_LEVEL);
    }

    /** All 2n + 2 leaves are equally likely, or 2n without constants, and so are the operators. */
    @ParameterizedTest
    @CsvSource({"4,true", "4,false", "1,true", "8,true", "7,false"})
    void leavesAndOperatorsAreEven(int variables, boolean constants) {
        var language = new BooleanLanguage(variables);
        ExpressionSampler sampler = sampler(variables, constants, 3, 1, Draws.FIXED_SEED);
        Map<String, Integer> places = new HashMap<>();
        long[] leaves = new long[2 * variables + (constants ? 2 : 0)];
        long[] operators = new long[2];
        for (int draw = 0; draw < 50_000; draw++) {
            sampler.draw();
            String text = language.text(sampler.ids());
            for (String leaf : text.split("[&|()]+", -1)) {
                if (!leaf.isEmpty()) {
                    leaves[places.computeIfAbsent(leaf, next -> places.size())]++;
                }
            }
            text.chars().filter(c -> c == '&' || c == '|').forEach(c -> operators[c == '&' ? 0 : 1]++);
        }
        assertThat(places).hasSize(leaves.length);
        assertThat(places.containsKey("true")).isEqualTo(constants);
        assertThat(ChiSquareTest.withDefaults().test(leaves).getPValue()).isGreaterThan(Draws.FIXED_LEVEL);
        assertThat(ChiSquareTest.withDefaults().test(operators).getPValue()).isGreaterThan(Draws.FIXED_LEVEL);
    }

    /** The sampled truth table agrees with that of the tokens, evaluated by other code. */
    @ParameterizedTest
    @CsvSource({
        "1,1,0", "1,64,2", "2,5,3", "3,5,3", "4,5,3", "4,1,8", "5,5,3", "6,5,4", "7,5,3", "8,5,3", "8,3,6", "8,64,1"
    })
    void tablesAreThoseOfTheTokens(int variables, int k, int q) {
        var language = new BooleanLanguage(variables);
        ExpressionSampler sampler = sampler(variables, true, k, q, Draws.FIXED_SEED);
        long[] table = new long[TruthTable.wordCount(variables)];
        int maximum = new ExpressionLaw(variables, true, k, q).maxTokens();
        for (int draw = 0; draw < 1000; draw++) {
            sampler.draw();
            sampler.tableInto(table);
            int[] ids = sampler.ids();
            assertThat(TruthTable.of(variables, table))
                    .as("seed %d, draw %d: %s", Draws.FIXED_SEED, draw, language.text(ids))
                    .isEqualTo(language.evaluate(ids));
            assertThat(ids.length).isLessThanOrEqualTo(maximum);
            assertThat(ClauseStructure.reaches(language, true, k, q, ids)).isTrue();
        }
    }

    @Test
    void theLongestExpressionHasSoManyTokens() {
        assertThat(new ExpressionLaw(4, true, 1, 0).maxTokens()).isEqualTo("~p".length());
        assertThat(new ExpressionLaw(4, true, 2, 1).maxTokens()).isEqualTo("(~p&~p)|(~p|~p)".length());
        assertThat(new ExpressionLaw(4, true, 1, 2).maxTokens()).isEqualTo("((~p&~p)|(~p|~p))".length());
        assertThat(new ExpressionLaw(4, true, 64, 16).maxTokens()).isPositive();
    }

    /** Among all strings of tokens, exactly those that random_clause(2) with one variable can draw. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void structuresAreThoseThatAreDrawn(int q) {
        var language = new BooleanLanguage(1);
        ExpressionSampler sampler = sampler(1, false, 1, q, Draws.FIXED_SEED);
        Set<String> drawn = new HashSet<>();
        for (int draw = 0; draw < 20_000; draw++) {
            sampler.draw();
            drawn.add(language.text(sampler.ids()).replace("~", "").replace('|', '&'));
        }
        assertThat(drawn).hasSize(q == 0 ? 1 : q == 1 ? 1 : 4);
        for (String shape : List.of(
                "p0",
                "(p0&p0)",
                "((p0&p0)&p0)",
                "(p0&(p0&p0))",
                "((p0&p0)&(p0&p0))",
                "(((p0&p0)&p0)&p0)",
                "((p0&(p0&p0))&(p0&p0))",
                "(p0)",
                "((p0&p0))",
                "p0&p0",
                "(p0&p0)&p0")) {
            assertThat(ClauseStructure.reaches(language, false, 1, q, ExpressionText.ids(language, shape)))
                    .as("q %d, %s", q, shape)
                    .isEqualTo(drawn.contains(shape));
        }
    }

    /** The minimum depth is ceil(q / 2), so q = 7 cannot give a clause of depth 3. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "((p0&p1)&(p0&p1)); 4; true",
                "((p0&p1)&(p0&p1)); 5; false",
                "((p0&p1)&(p0&p1)); 2; true",
                "((p0&p1)&(p0&p1)); 1; false",
                "((p0&p1)&p0); 2; true",
                "((p0&p1)&p0); 3; false",
                "(((p0&p1)&p0)&p0); 3; false",
                "(~true&p0); 1; false",
                "(~~p0&p0); 1; false",
                "(p0&p1; 1; false",
                "(p0&p1)); 1; false",
            })
    void structuresByHand(String expression, int q, boolean reached) {
        var language = new BooleanLanguage(2);
        assertThat(ClauseStructure.reaches(language, true, 1, q, ExpressionText.ids(language, expression)))
                .isEqualTo(reached);
    }

    static IntStream depths() {
        return IntStream.rangeClosed(0, 10);
    }

    @ParameterizedTest
    @MethodSource("depths")
    void theLawIsThatOfTheVectorsExactly(int q) {
        var law = new ClauseLaw(1, q);
        JsonNode expected = GeneratorVectors.all().get("depth_law").get(Integer.toString(q));
        for (int x = 0; x <= q + 1; x++) {
            JsonNode fraction = expected.get(Integer.toString(x));
            if (fraction == null) {
                assertThat(law.numerator(x)).as("q %d, x %d", q, x).isZero();
                assertThat(x)
                        .satisfiesAnyOf(
                                depth -> assertThat(depth).isLessThan(law.minDepth()),
                                depth -> assertThat(depth).isGreaterThan(law.maxDepth()));
                continue;
            }
            var numerator = new BigInteger(fraction.get(0).asText());
            var denominator = new BigInteger(fraction.get(1).asText());
            assertThat(law.numerator(x).multiply(denominator))
                    .as("q %d, x %d", q, x)
                    .isEqualTo(numerator.shiftLeft(law.exponent()));
            assertThat(law.probability(x))
                    .isEqualTo(new BigDecimal(numerator)
                            .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
                            .doubleValue());
        }
        assertThat(law.meanLeaves())
                .isEqualTo(GeneratorVectors.all().get("expected_leaves").get(q).asLong());
    }

    @ParameterizedTest
    @CsvSource({"1,3", "2,2", "5,3", "5,6", "64,1", "3,16"})
    void probabilitiesOfManyClausesAddUp(int k, int q) {
        var law = new ClauseLaw(k, q);
        BigInteger sum = IntStream.rangeClosed(0, q).mapToObj(law::numerator).reduce(BigInteger.ZERO, BigInteger::add);
        assertThat(sum).isEqualTo(BigInteger.TWO.pow(law.exponent()));
        assertThat(law.meanLeaves()).isEqualTo(k * new ClauseLaw(1, q).meanLeaves());
    }

    /** (25/64)^5 is the probability that none of five clauses of q = 3 is as deep as 3. */
    @ParameterizedTest
    @CsvSource({"5,3,2,9765625", "2,2,1,1"})
    void theDepthOfAnExpressionIsThatOfItsDeepestClause(int k, int q, int x, long numerator) {
        var law = new ClauseLaw(k, q);
        int bits = q == 3 ? 30 : 4;
        assertThat(law.numerator(x).shiftLeft(bits))
                .isEqualTo(BigInteger.valueOf(numerator).shiftLeft(law.exponent()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0; 3; k: expected at least 1, got 0",
                "1; 17; q: expected 0 to 16, got 17",
                "1; -1; q: expected 0 to 16, got -1"
            })
    void misuseIsRefused(int k, int q, String message) {
        assertRefused(() -> new ClauseLaw(k, q), message);
    }
}
