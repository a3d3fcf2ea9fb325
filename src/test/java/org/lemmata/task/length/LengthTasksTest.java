package org.lemmata.task.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.claim.Sequences;
import org.lemmata.oracle.Draws;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.token.Example;

/** SimpleTask and ModPTask: their values and the law of their sequences, computed independently. */
class LengthTasksTest {

    private static Task task(String name, String... settings) {
        var given = new HashMap<String, String>();
        for (int i = 0; i < settings.length; i += 2) {
            given.put(settings[i], settings[i + 1]);
        }
        return Tasks.CATALOGUE.entry(name).create(given);
    }

    private static double value(Task task, int... ids) {
        return task.regression().orElseThrow().value(ids);
    }

    private static int count(int symbol, int... ids) {
        return (int) IntStream.of(ids).filter(id -> id == symbol).count();
    }

    /** The double nearest to a fraction, by decimal division; 0 for 0/0. */
    private static double fraction(int numerator, int denominator) {
        return denominator == 0
                ? 0
                : new BigDecimal(numerator)
                        .divide(new BigDecimal(denominator), MathContext.DECIMAL128)
                        .doubleValue();
    }

    @Test
    void everyShortSequenceHasItsFraction() {
        Task identity = task("simple-task", "link", "identity");
        Task polynomial = task("simple-task", "link", "polynomial", "coefficients", "0.5,-1,2");
        Task absolute = task("simple-task", "link", "absolute");
        for (int length = 1; length <= 7; length++) {
            for (int[] ids : Sequences.every(3, length)) {
                double z = fraction(count(0, ids) - count(1, ids), count(0, ids) + count(1, ids));
                assertThat(value(identity, ids)).as(Arrays.toString(ids)).isEqualTo(z);
                assertThat(value(absolute, ids)).as(Arrays.toString(ids)).isEqualTo(z < 0 ? -z : z);
                assertThat(value(polynomial, ids)).isCloseTo(0.5 - z + 2 * z * z, within(1e-15));
            }
        }
        for (int period = 1; period <= 4; period++) {
            for (int index = 0; index < period; index++) {
                Task task = task("mod-p-task", "period", "" + period, "index", "" + index);
                for (int[] ids : Sequences.every(2, 7)) {
                    var chosen = new ArrayList<Integer>();
                    for (int position = 1; position <= ids.length; position++) {
                        if (position % period == index) {
                            chosen.add(ids[position - 1]);
                        }
                    }
                    int ones = chosen.stream().mapToInt(bit -> bit).sum();
                    assertThat(value(task, ids)).isEqualTo(fraction(ones, chosen.size()));
                }
            }
        }
    }

    @Test
    void valuesOfLongSequencesAreExact() {
        int[] ids = new int[100_000];
        Arrays.fill(ids, 0, 33_333, 1);
        Arrays.fill(ids, 33_333, 40_000, 2);
        assertThat(value(task("simple-task", "omega", "4"), ids))
                .isCloseTo(Math.sin(4 * fraction(60_000 - 33_333, 93_333)), within(1e-15));
        int[] bits = IntStream.of(ids).map(id -> id == 1 ? 1 : 0).toArray();
        assertThat(value(task("mod-p-task", "period", "7", "index", "2"), bits)).isEqualTo(fraction(4762, 14286));
    }

    private static double factorial(int n) {
        return IntStream.rangeClosed(2, n).asDoubleStream().reduce(1, (a, b) -> a * b);
    }

    /** The integral of p_0^c0 p_1^c1 p_2^c2 over the simplex, whose density is 2. */
    private static double simpleLaw(int... ids) {
        return 2
                * factorial(count(0, ids))
                * factorial(count(1, ids))
                * factorial(count(2, ids))
                / factorial(ids.length + 2);
    }

    /** The product over residues of the integral of q^ones (1 - q)^zeros over [0, 1]. */
    private static double modPLaw(int period, int... ids) {
        double law = 1;
        for (int residue = 0; residue < period; residue++) {
            int r = residue;
            int[] own = IntStream.range(0, ids.length)
                    .filter(i -> i % period == r)
                    .map(i -> ids[i])
                    .toArray();
            law *= factorial(count(1, own)) * factorial(count(0, own)) / factorial(own.length + 1);
        }
        return law;
    }

    private static double pValue(
            Task task, List<int[]> sequences, ToDoubleFunction<int[]> law, RandomGenerator random) {
        Map<String, Double> laws = sequences.stream().collect(Collectors.toMap(Arrays::toString, law::applyAsDouble));
        return Draws.pValue(
                laws,
                200 * sequences.size(),
                () -> Arrays.toString(task.sample(random, task.defaultLength()).inputs()));
    }

    /** Sequences have the frequencies of their law, which differ from those of uniform independent symbols. */
    @Test
    void sequencesHaveTheirLaw() {
        long fresh = new SplittableRandom().nextLong();
        Task simple = task("simple-task", "length", "4", "minLength", "4");
        for (int period = 1; period <= 5; period++) {
            int p = period;
            Task modP = task("mod-p-task", "length", "5", "minLength", "5", "period", "" + p);
            assertThat(pValue(modP, Sequences.every(2, 5), ids -> modPLaw(p, ids), new Random(Draws.FIXED_SEED)))
                    .as("p %d, seed %d", p, Draws.FIXED_SEED)
                    .isGreaterThan(Draws.FIXED_LEVEL);
            assertThat(pValue(modP, Sequences.every(2, 5), ids -> modPLaw(p, ids), new SplittableRandom(fresh)))
                    .as("p %d, seed %d", p, fresh)
                    .isGreaterThan(Draws.FRESH_LEVEL);
        }
        assertThat(pValue(simple, Sequences.every(3, 4), LengthTasksTest::simpleLaw, new Random(Draws.FIXED_SEED)))
                .as("seed %d", Draws.FIXED_SEED)
                .isGreaterThan(Draws.FIXED_LEVEL);
        assertThat(pValue(simple, Sequences.every(3, 4), LengthTasksTest::simpleLaw, new SplittableRandom(fresh)))
                .as("seed %d", fresh)
                .isGreaterThan(Draws.FRESH_LEVEL);
        assertThat(pValue(simple, Sequences.every(3, 4), ids -> Math.pow(3, -4), new Random(Draws.FIXED_SEED)))
                .isLessThan(Draws.FRESH_LEVEL);
    }

    @ParameterizedTest
    @CsvSource({"simple-task, 3, 9", "simple-task, 5, 5", "mod-p-task, 2, 7"})
    void lengthsAreUniform(String name, int minimum, int maximum) {
        Task task = task(name, "length", "" + maximum, "minLength", "" + minimum);
        long[] counts = new long[maximum + 1];
        var random = new Random(Draws.FIXED_SEED);
        for (int i = 0; i < 7000; i++) {
            Example example = task.sample(random, maximum);
            counts[example.length()]++;
            assertThat(example.scoredPositions()).containsExactly(example.length() - 1);
            assertThat(example.values()).containsExactly((float) value(task, example.inputs()));
        }
        long[] drawn = Arrays.copyOfRange(counts, minimum, maximum + 1);
        assertThat(Arrays.stream(drawn).sum()).isEqualTo(7000);
        if (minimum < maximum) {
            assertThat(ChiSquareTest.withDefaults().test(drawn).getPValue()).isGreaterThan(Draws.FIXED_LEVEL);
        }
    }

    @Test
    void lengthsAreThoseAskedFor() {
        Task modP = task("mod-p-task", "period", "3", "index", "1", "length", "10");
        assertThat(modP.accepts(1, 0)).isFalse();
        assertThat(modP.accepts(1, 0, 1)).isTrue();
        assertThat(modP.accepts(new int[10])).isTrue();
        assertThat(modP.accepts(new int[11])).isFalse();
        assertThat(task("simple-task").accepts(2)).isTrue();
        Task longer = modP.ofLength(1000).orElseThrow();
        assertThat(longer.sample(new Random(1), 1000).length()).isEqualTo(1000);
        assertThat(longer.accepts(new int[1000])).isTrue();
        assertThat(value(longer, 0, 0, 0, 1)).isEqualTo(0.5);
        assertThat(task("simple-task", "omega", "3").ofLength(50).orElseThrow())
                .satisfies(task -> assertThat(value(task, 0)).isEqualTo(Math.sin(3)));
    }

    @Test
    void answersDependOnTheirPositions() {
        var random = new Random(5);
        for (Task task : List.of(task("simple-task"), task("mod-p-task", "period", "3", "index", "2"))) {
            int others = task.vocabulary().size();
            for (int i = 0; i < 100; i++) {
                int[] ids = task.sample(random, 16).inputs();
                IntPredicate relevant = task.regression().orElseThrow().relevantPositions(ids);
                for (int position = 0; position < ids.length; position++) {
                    int[] changed = ids.clone();
                    // In SimpleTask, a 2 matters only because it is not a 0 or 1.
                    changed[position] = others == 3 ? 2 : 1 - ids[position];
                    boolean same = value(task, changed) == value(task, ids);
                    if (!relevant.test(position)) {
                        assertThat(same)
                                .as("%s, position %d", Arrays.toString(ids), position)
                                .isTrue();
                    } else if (others == 2) {
                        assertThat(same)
                                .as("%s, position %d", Arrays.toString(ids), position)
                                .isFalse();
                    } else {
                        assertThat(ids[position]).isNotEqualTo(2);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "simple-task; link=cosine; link: expected sine, identity, absolute or polynomial, got 'cosine'",
                "simple-task; link=identity omega=2; omega: expected none, except for sine, got one for identity",
                "simple-task; coefficients=1,2; coefficients: expected none, except for polynomial, got one for sine",
                "simple-task; link=polynomial; coefficients: expected finite numbers between commas, got nothing",
                "simple-task; link=polynomial coefficients=1,x; coefficients: expected finite numbers between commas,"
                        + " got '1,x'",
                "simple-task; link=polynomial coefficients=3e38,-3e38; coefficients: expected at least one, with a sum"
                        + " of magnitudes that is finite in binary32, got [3.0E38, -3.0E38]",
                "simple-task; omega=NaN; omega: expected a finite number, got 'NaN'",
                "simple-task; minLength=17; minLength: expected an integer from 1 to 16, got '17'",
                "mod-p-task; period=0; period: expected an integer from 1 to 65536, got '0'",
                "mod-p-task; period=3 index=3; index: expected an integer from 0 to 2, got '3'",
                "mod-p-task; period=5 length=4; length: expected at least 5, or a minLength, got 4"
            })
    void whatIsNotLegalIsRefused(String name, String settings, String message) {
        String[] given = settings.split("[ =]");
        assertRefused(() -> task(name, given), message);
    }

    @Test
    void whatIsNoSequenceIsRefused() {
        assertThatThrownBy(() -> value(task("simple-task"), 0, 3)).hasMessage("position 2: expected id 0 to 2, got 3");
        assertThatThrownBy(() -> task("mod-p-task").accepts(2)).hasMessage("position 1: expected id 0 to 1, got 2");
        assertThatThrownBy(() -> task("mod-p-task").accepts()).hasMessage("ids: expected at least one token, got none");
        assertThatThrownBy(() -> task("simple-task").sample(new Random(1), 17))
                .hasMessage("length: expected 1 to 16, got 17");
        assertThat(task("simple-task").ofLength(0)).isEmpty();
    }
}
