package org.lemmata.construct.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.numbers;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.construct.Construction;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Significand;
import org.lemmata.oracle.ReferenceValues;
import org.lemmata.token.Batch;

/**
 * SimpleTask and ModPTask as limit transformers, compared with an independent implementation and the tasks'
 * definitions.
 */
class LengthTasksTest {

    private static final int BITS = 53;

    private static Stream<JsonNode> cases(String task) {
        return ReferenceValues.cases("length-tasks", 3)
                .filter(one -> one.get("task").asText().equals(task));
    }

    static Stream<JsonNode> simple() {
        return cases("simple");
    }

    static Stream<JsonNode> modP() {
        return cases("modp");
    }

    private static List<int[]> inputs(JsonNode one) {
        List<int[]> inputs = new ArrayList<>();
        one.get("inputs").forEach(input -> inputs.add(integers(input)));
        return inputs;
    }

    /** sin(omega (c_0 - c_1) / (c_0 + c_1)), or 0 if both counts are 0. */
    private static double simpleTask(double omega, int[] x) {
        long zeros = Arrays.stream(x).filter(token -> token == 0).count();
        long ones = Arrays.stream(x).filter(token -> token == 1).count();
        return zeros + ones == 0 ? 0 : Math.sin(omega * (zeros - ones) / (zeros + ones));
    }

    private static double modPTask(int period, int index, int[] x) {
        int[] positions = IntStream.rangeClosed(1, x.length)
                .filter(t -> t % period == index)
                .toArray();
        return Arrays.stream(positions).map(t -> x[t - 1]).average().orElseThrow();
    }

    /** The model on the kernels with weights rounded to binary32, even if its demand is not met. */
    private static LanguageModel narrow(Construction construction) {
        return new Transformer(construction.build().nearest(), Kernels.best());
    }

    private static void assertValues(Construction construction, List<int[]> inputs, double[] expected, double tight) {
        assertThat(construction.model(Kernels.best())).isInstanceOf(ReferenceTransformer.class);
        double[] exact = construction.model(Kernels.best()).lastLogits(Batch.of(inputs));
        double[] narrow = narrow(construction).lastLogits(Batch.of(inputs));
        for (int i = 0; i < expected.length; i++) {
            assertThat(exact[i]).as("binary64, input %d", i).isEqualTo(expected[i], within(tight));
            assertThat(narrow[i]).as("kernels, input %d", i).isEqualTo(expected[i], within(1e-5));
        }
    }

    @ParameterizedTest
    @MethodSource("simple")
    void simpleTaskHasTheVectorsNetworkAndValues(JsonNode one) {
        double omega = number(one, "omega");
        int knots = integer(one, "knots");
        var construction = new SimpleTaskByPiecewiseLinearSine(omega, knots, integer(one, "p"), BITS, 100);
        assertValues(construction, inputs(one), numbers(one.get("model")), 1e-14);
        var network = new PiecewiseLinearSine(omega, knots, BITS);
        double[] first = numbers(one.get("mlp_a"));
        double[] second = numbers(one.get("mlp_c"));
        for (int k = 0; k < knots; k++) {
            // The vectors represent a unit without a change of slope by a = 1 and c = 0.
            first[k] = second[k] == 0 ? 0 : first[k];
        }
        assertThat(network.first()).containsExactly(first, within(1e-12));
        assertThat(network.biases()).containsExactly(numbers(one.get("mlp_b")), within(1e-12));
        assertThat(network.second()).containsExactly(second, within(1e-12));
        double idle = Arrays.stream(network.second()).filter(c -> c == 0).count();
        assertThat(idle).isEqualTo(1);
        assertThat(pathNorm(network)).isEqualTo(number(one, "path_norm"), within(1e-12));
        double seconds = Arrays.stream(second).map(c -> c * c).sum();
        assertThat(Math.sqrt(Math.pow(network.frobeniusProduct(), 2) + idle * seconds))
                .isEqualTo(number(one, "AF_BF"), within(1e-12));
    }

    /** sum_k |c_k a_k|: the sum of all slope changes, including the first slope. */
    private static double pathNorm(PiecewiseLinearSine network) {
        return IntStream.range(0, network.units())
                .mapToDouble(k -> Math.abs(network.second()[k] * network.first()[k]))
                .sum();
    }

    @ParameterizedTest
    @MethodSource("modP")
    void modPTaskHasTheVectorsValues(JsonNode one) {
        int period = integer(one, "Delta");
        int index = integer(one, "k");
        var construction = new ModPTaskByPeriodicPositions(period, index, integer(one, "p"), BITS, 100);
        assertValues(construction, inputs(one), numbers(one.get("model")), 1e-14);
        assertThat(numbers(one.get("f_star")))
                .containsExactly(
                        inputs(one).stream()
                                .mapToDouble(x -> modPTask(period, index, x))
                                .toArray(),
                        within(1e-15));
    }

    /** g. */
    private static DoubleUnaryOperator function(PiecewiseLinearSine network) {
        double[] first = network.first();
        double[] biases = network.biases();
        double[] second = network.second();
        return z -> {
            double sum = 0;
            for (int k = 0; k < first.length; k++) {
                sum += second[k] * Math.max(0, first[k] * z + biases[k]);
            }
            return sum;
        };
    }

    /** The error never exceeds the bound, which is nearly attained where the sine's curvature is largest. */
    @ParameterizedTest
    @CsvSource({"1, 17", "3, 64", "-20, 257", "64, 1025"})
    void theNetworkIsWithinTheInterpolationBound(double omega, int knots) {
        var network = new PiecewiseLinearSine(omega, knots, BITS);
        DoubleUnaryOperator g = function(network);
        double maximum = 0;
        for (int i = 0; i <= 100_000; i++) {
            double z = -1 + i / 50_000.0;
            maximum = Math.max(maximum, Math.abs(g.applyAsDouble(z) - Math.sin(omega * z)));
        }
        assertThat(maximum)
                .isLessThanOrEqualTo(network.interpolationBound() + network.roundingBound())
                .isGreaterThan(0.6 * network.interpolationBound());
        assertThat(network.interpolationBound()).isEqualTo(Math.pow(omega * 2 / (knots - 1), 2) / 8, within(1e-15));
    }

    /** Computes slopes and their changes numerically, on a grid much finer than the knots. */
    @Test
    void theNormsAreThoseOfTheFunction() {
        for (double omega : new double[] {1, 4, 30}) {
            var network = new PiecewiseLinearSine(omega, 129, BITS);
            DoubleUnaryOperator g = function(network);
            double steepest = 0;
            for (int k = 0; k < 128; k++) {
                double slope = (g.applyAsDouble(-1 + (k + 1) / 64.0) - g.applyAsDouble(-1 + k / 64.0)) * 64;
                steepest = Math.max(steepest, Math.abs(slope));
            }
            assertThat(network.lipschitzConstant())
                    .isEqualTo(steepest, within(1e-10))
                    .isLessThanOrEqualTo(omega);
            assertThat(network.frobeniusProduct()).isGreaterThanOrEqualTo(pathNorm(network));
            double error = network.interpolationBound();
            assertThat(pathNorm(network)).isGreaterThanOrEqualTo(PiecewiseLinearSine.minFrobeniusProduct(omega, error));
        }
        assertThat(PiecewiseLinearSine.minFrobeniusProduct(1, 0)).isZero();
        assertThat(PiecewiseLinearSine.minFrobeniusProduct(-10 * Math.PI, 0.5))
                .isEqualTo(4 * 0.5 * 10 * 18, within(1e-10));
    }

    /** With fewer bits, the rounding bound holds in the required formats on the kernels. */
    @ParameterizedTest
    @CsvSource({"24, binary32, 5000", "11, binary16, 500", "8, bfloat16, 5000"})
    void fewerBitsRunInFormatsOfAsMany(int bits, String format, int length) {
        Rounding rounding = Rounding.toNearestEven(FloatFormat.NAMED.stream()
                .filter(named -> named.name().equals(format))
                .findFirst()
                .orElseThrow());
        Random random = new Random(bits);
        var simple = new SimpleTaskByPiecewiseLinearSine(3, 33, 10, bits, length);
        var modP = new ModPTaskByPeriodicPositions(3, 2, 10, bits, length);
        LanguageModel simpleModel = simple.model(rounding, false);
        LanguageModel modPModel = modP.model(rounding, false);
        assertThat(simpleModel).isInstanceOf(Transformer.class);
        assertThat(simple.model(Kernels.best())).isInstanceOf(Transformer.class);
        for (int n : new int[] {1, 3, 10, 99, length}) {
            int[] three = random.ints(n, 0, 3).toArray();
            int[] two = random.ints(n + 2, 0, 2).limit(length).toArray();
            assertThat(simpleModel.lastLogits(Batch.of(List.of(three)))[0])
                    .as("SimpleTask, n = %d", n)
                    .isEqualTo(simpleTask(3, three), within(simple.errorBound()));
            assertThat(modPModel.lastLogits(Batch.of(List.of(two)))[0])
                    .as("ModPTask, n = %d", n)
                    .isEqualTo(modPTask(3, 2, two), within(Math.scalb(1.0, -bits)));
        }
    }

    @Test
    void theDemandIsWhatTheWeightsAndCountsTake() {
        for (Construction construction : List.of(
                new SimpleTaskByPiecewiseLinearSine(5, 50, 100, 11, 1000),
                new ModPTaskByPeriodicPositions(5, 3, 100, 11, 1000))) {
            double[] weights = construction.build().values();
            Construction.Demand demand = construction.demand();
            assertThat(demand.tensorBits()).isEqualTo(11);
            assertThat(demand.sumBits()).isEqualTo(11);
            assertThat(Arrays.stream(weights)
                            .mapToInt(Significand::bitsOf)
                            .max()
                            .orElseThrow())
                    .isLessThanOrEqualTo(demand.tensorBits());
            assertThat(Arrays.stream(weights).map(Math::abs).max().orElseThrow())
                    .isLessThanOrEqualTo(demand.maximum());
            assertThat(Arrays.stream(weights)
                            .map(Math::abs)
                            .filter(w -> w > 0)
                            .min()
                            .orElseThrow())
                    .isGreaterThanOrEqualTo(demand.minimum());
        }
        assertThat(new ModPTaskByPeriodicPositions(5, 3, 101, 3, 1 << 20).demand())
                .isEqualTo(new Construction.Demand(
                        7,
                        21,
                        0x1p-20,
                        1 << 20,
                        "weights of 3 bits, and p",
                        "weights of 3 bits, and counts to 1048576"));
        assertThat(new SimpleTaskByPiecewiseLinearSine(1, 2, 3, 8, 300).demand().sumBits())
                .isEqualTo(9);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ModPTaskByPeriodicPositions(3, 1, 10, BITS, 100)
                        .model(Rounding.toNearestEven(FloatFormat.BFLOAT16), false))
                .isInstanceOf(UnmetDemandException.class)
                .withMessage(
                        "format: expected at least 53 significand bits for weights of 53 bits, and p, got bfloat16 with"
                                + " 8; nearest representable: bits=8");
        // A count of 300 takes 9 bits, and sums in bfloat16 have 8.
        var longer = new ModPTaskByPeriodicPositions(3, 1, 10, 8, 300);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longer.model(Rounding.toNearestEven(FloatFormat.BFLOAT16), true))
                .isInstanceOf(UnmetDemandException.class);
        assertThat(longer.model(PrecisionPolicy.tensors(Rounding.toNearestEven(FloatFormat.BFLOAT16)), Kernels.best()))
                .isInstanceOf(Transformer.class);
    }

    @Test
    void whatMakesNoTaskIsRefused() {
        assertRefused(
                () -> new SimpleTaskByPiecewiseLinearSine(Double.NaN, 2, 1, BITS, 1),
                "omega: expected a finite number, got NaN");
        assertRefused(() -> new SimpleTaskByPiecewiseLinearSine(1, 1, 1, BITS, 1), "knots: expected at least 2, got 1");
        assertRefused(() -> new SimpleTaskByPiecewiseLinearSine(1, 2, 0, BITS, 1), "p: expected 1 to 126, got 0");
        assertRefused(() -> new ModPTaskByPeriodicPositions(1, 0, 127, BITS, 1), "p: expected 1 to 126, got 127");
        assertRefused(() -> new SimpleTaskByPiecewiseLinearSine(1, 2, 1, 1, 1), "bits: expected 2 to 53, got 1");
        assertRefused(() -> new ModPTaskByPeriodicPositions(1, 0, 1, 54, 1), "bits: expected 2 to 53, got 54");
        assertRefused(() -> new ModPTaskByPeriodicPositions(1, 0, 1, BITS, 0), "maxLength: expected at least 1, got 0");
        assertRefused(() -> new ModPTaskByPeriodicPositions(0, 0, 1, BITS, 1), "period: expected at least 1, got 0");
        assertRefused(() -> new ModPTaskByPeriodicPositions(3, 3, 1, BITS, 1), "index: expected 0 to 2, got 3");
        assertRefused(() -> new ModPTaskByPeriodicPositions(3, -1, 1, BITS, 1), "index: expected 0 to 2, got -1");
    }
}
