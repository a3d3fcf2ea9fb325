package org.lemmata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.thread.Workers;

class SelfCheckTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    private static final List<SelfCheck.Probe> PROBES = SelfCheckProbes.all();

    /** A new operation, or a new method of an old one, needs a probe. */
    @Test
    void everyMethodOfEveryOperationHasAProbe() {
        List<String> methods = Arrays.stream(Kernels.class.getDeclaredFields())
                // All fields are operations, except the workers and the flag of SIMD.
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .filter(field -> !field.getType().isPrimitive() && field.getType() != Workers.class)
                .flatMap(field -> Arrays.stream(field.getType().getDeclaredMethods())
                        .filter(SelfCheckTest::isWork)
                        .map(method -> field.getName() + "." + method.getName()))
                .toList();
        assertThat(methods).hasSizeGreaterThan(20);
        assertThat(PROBES).extracting(SelfCheck.Probe::method).containsExactlyInAnyOrderElementsOf(methods);
    }

    /** Whether a method does work; default methods only call the others. */
    private static boolean isWork(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isDefault()
                && !method.isSynthetic();
    }

    /** Each kernel is called and compared; timing is not tested here. */
    @Test
    void everyOperationIsCalledAndRight() {
        List<SelfCheck.Result> results = SelfCheck.run(PROBES, Kernels.scalar(), Kernels.best(), SHORT);
        assertThat(results)
                .extracting(SelfCheck.Result::name)
                .containsExactlyElementsOf(
                        PROBES.stream().map(SelfCheck.Probe::name).toList());
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result.verdict()).as("%s", result).isNotEqualTo(SelfCheck.Condition.WRONG));
    }

    /** The reference writes into the same arrays between calls, so its old results must not count. */
    @Test
    void attentionThatWritesNothingIsWrong() {
        List<SelfCheck.Probe> attention = PROBES.stream()
                .filter(probe -> probe.method().startsWith("attention."))
                .toList();
        Attention nothing = (Attention) Proxy.newProxyInstance(
                Attention.class.getClassLoader(), new Class<?>[] {Attention.class}, (proxy, method, args) -> null);
        Kernels scalar = Kernels.scalar();
        assertThat(SelfCheck.run(attention, scalar, scalar.withAttention(nothing), SHORT))
                .hasSize(2)
                .allSatisfy(
                        result -> assertThat(result.verdict()).as("%s", result).isEqualTo(SelfCheck.Condition.WRONG));
    }

    /** Otherwise zeros, or elements from wrong indices, would pass. */
    @Test
    void tolerancesAreSmallBesideWhatIsExpected() {
        assertThat(PROBES).allSatisfy(probe -> {
            int length = probe.calls().apply(Kernels.scalar()).run().length;
            double maximum = IntStream.range(0, length)
                    .mapToDouble(i -> Math.abs(probe.exact().applyAsDouble(i)))
                    .max()
                    .orElseThrow();
            assertThat(probe.tolerance()).as(probe.name()).isPositive().isLessThan(1e-4 * maximum);
        });
    }

    /** Scalar kernels in place of SIMD kernels are as slow as kernels that were not compiled. */
    @Test
    void aKernelNoFasterThanTheReferenceIsSlow() {
        List<SelfCheck.Probe> matMul = PROBES.stream()
                .filter(probe -> probe.method().equals("matMul.multiply"))
                .toList();
        Kernels scalar = Kernels.scalar();
        assertThat(SelfCheck.run(matMul, scalar, scalar, SHORT)).hasSize(1).allSatisfy(result -> {
            assertThat(result.verdict()).isEqualTo(SelfCheck.Condition.SLOW);
            assertThat(result.description()).startsWith("slow: ").endsWith("x scalar, expected at least 3.0x");
            assertThat(result.besideOtherWork().verdict()).isEqualTo(SelfCheck.Condition.BUSY);
            assertThat(result.besideOtherWork().description()).startsWith("busy: not judged: ");
        });
    }

    @Test
    void aFastAndRightKernelIsOk() {
        SelfCheck.Result result = run(2e-6, kernels -> kernels.simd() ? () -> answer(1) : () -> slowly(answer(1)));
        assertThat(result.verdict()).isEqualTo(SelfCheck.Condition.OK);
        assertThat(result.ratio()).isGreaterThan(3);
        assertThat(result.besideOtherWork()).isEqualTo(result);
        assertThat(result.description()).matches("ok: \\d+x scalar, expected at least 3.0x");
    }

    @Test
    void aWrongKernelIsWrongHoweverFast() {
        SelfCheck.Result result = run(2e-6, kernels -> kernels.simd() ? () -> answer(1.5f) : () -> slowly(answer(1)));
        assertThat(result.verdict()).isEqualTo(SelfCheck.Condition.WRONG);
        assertThat(result.maxError()).isEqualTo(0.5);
        assertThat(result.description())
                .startsWith("wrong: differs from the scalar kernel by 0.5; expected at most 2.0E-6");
        assertThat(run(2e-6, kernels -> () -> answer(Float.NaN)).verdict()).isEqualTo(SelfCheck.Condition.WRONG);
        assertThat(run(2e-6, kernels -> () -> new float[] {Float.NaN, 1}).verdict())
                .as("a right element after NaN")
                .isEqualTo(SelfCheck.Condition.WRONG);
        float[] left = {1};
        assertThat(run(2e-6, kernels -> () -> left).verdict())
                .as("a kernel that writes nothing")
                .isEqualTo(SelfCheck.Condition.WRONG);
    }

    @Test
    void aSlowKernelCostsTheLimitAndNoMore() {
        long start = System.nanoTime();
        run(1, kernels -> () -> slowly(answer(1)));
        // The limit is of processor time; other processes may make the wall time longer.
        assertThat(System.nanoTime() - start).isGreaterThan(SHORT.toNanos());
    }

    @Test
    void scalarKernelsHaveNothingToCheck() {
        assertThat(SelfCheck.run(Kernels.scalar(), List.of())).isEmpty();
    }

    private static SelfCheck.Result run(double tolerance, Function<Kernels, SelfCheck.Call> calls) {
        var probe = new SelfCheck.Probe("probe.run", "probe", calls, element -> 1, tolerance, 3);
        return SelfCheck.run(List.of(probe), Kernels.scalar(), Kernels.best(), SHORT)
                .getFirst();
    }

    private static float[] answer(float value) {
        return new float[] {value};
    }

    /** Returns the answer after 0.1 ms. */
    private static float[] slowly(float[] answer) {
        long end = System.nanoTime() + 100_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return answer;
    }
}
