package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.oracle.ExactStep;
import org.lemmata.random.RandomStream;

/**
 * Tests for every {@link MatMul} that rounds: without rounded sites, those of {@link ScalarMatMulTest}; with them,
 * every step has the bits of the exact oracle.
 */
class ScalarRoundedMatMulTest extends ScalarMatMulTest {

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
    private static final RandomStream STREAM = new RandomStream(20260718, 5, 3);

    /**
     * Named formats, and some with other significands and exponents. Numbers of the last span 69 bits, more than
     * binary64.
     */
    static List<FloatFormat> formats() {
        List<FloatFormat> formats = new ArrayList<>(FloatFormat.NAMED);
        formats.remove(FloatFormat.BINARY64);
        formats.add(new FloatFormat("float(5,-3,20)", 5, -3, 20));
        formats.add(new FloatFormat("float(23,-126,127)", 23, -126, 127));
        formats.add(new FloatFormat("float(2,-126,127)", 2, -126, 127));
        formats.add(new FloatFormat("float(8,-30,30)", 8, -30, 30));
        return formats;
    }

    MatMul rounded(MatMulRounding rounding, RandomStream stream) {
        return new ScalarRoundedMatMul(rounding, stream);
    }

    private MatMul rounded(MatMulRounding rounding) {
        return rounded(rounding, STREAM);
    }

    @Override
    MatMul matMul() {
        return rounded(new MatMulRounding(null, null, null));
    }

    @ParameterizedTest
    @EnumSource
    void withoutRoundedStepsSumsAreTheFusedChain(MatMul.Form form) {
        for (MatMulCase.Start start : MatMulCase.Start.values()) {
            MatMulCase.random(form, start, 9, 11, 30, new SplittableRandom(3)).checkFusedChain(matMul());
            MatMulCase.random(form, start, 9, 37, 30, new SplittableRandom(3))
                    .checkSteps(rounded(new MatMulRounding(null, null, BFLOAT16)), new MatMulCase.Step() {
                        @Override
                        public float next(float sum, float a, float b, int i, int l, int j) {
                            return Math.fma(a, b, sum);
                        }

                        @Override
                        public float last(float sum, int i, int j) {
                            return ExactStep.of(BFLOAT16).sum(sum, 0, 0);
                        }
                    });
        }
    }

    /** Each step in exact arithmetic; null stands for binary32, to nearest even. */
    private record ExactSteps(
            @Nullable Rounding products,
            @Nullable Rounding sums,
            @Nullable Rounding outputs,
            int n,
            int k) implements MatMulCase.Step {

        private static ExactStep exact(@Nullable Rounding rounding) {
            return ExactStep.of(rounding == null ? Rounding.toNearestEven(FloatFormat.BINARY32) : rounding);
        }

        private int padded() {
            return (n + 31) / 32 * 32;
        }

        private static int word(@Nullable Rounding rounding, int part, long element) {
            return rounding != null && rounding.isStochastic()
                    ? STREAM.part(part).word(element)
                    : 0;
        }

        @Override
        public float next(float sum, float a, float b, int i, int l, int j) {
            long element = ((long) i * k + l) * padded() + j;
            float product = exact(products).product(a, b, word(products, 0, element));
            return exact(sums).sum(sum, product, word(sums, 1, element));
        }

        @Override
        public float last(float sum, int i, int j) {
            // Adding 0 would change -0 to +0.
            boolean asIs = outputs == null || sum == 0;
            return asIs ? sum : exact(outputs).sum(sum, 0, word(outputs, 2, (long) i * padded() + j));
        }
    }

    /** Numbers near 1 and near underflow and overflow of products, ties of the format, and special values. */
    private static double element(FloatFormat format, SplittableRandom random) {
        float[] specials = {
            0, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MAX_VALUE, 0x1p-149f
        };
        int p = format.significandBits();
        int kind = random.nextInt(100);
        if (kind < 2) {
            return specials[random.nextInt(specials.length)];
        }
        int exponent = kind < 50
                ? random.nextInt(-3, 4)
                : kind < 70
                        ? (format.minExponent() - p) / 2 + random.nextInt(-3, 5)
                        : kind < 80 ? format.maxExponent() / 2 + random.nextInt(-2, 3) : random.nextInt(-149, 128);
        int bits = random.nextBoolean() ? p : Math.min(24, p + random.nextInt(1, 3));
        double significand = 1 + Math.scalb((double) random.nextInt(1 << (bits - 1)), 1 - bits);
        return Math.scalb(random.nextBoolean() ? significand : -significand, exponent);
    }

    private void checkExact(
            @Nullable Rounding products,
            @Nullable Rounding sums,
            @Nullable Rounding outputs,
            MatMul.Form form,
            MatMulCase.Start start,
            FloatFormat format,
            SplittableRandom random,
            String name) {
        int m = random.nextInt(1, 4);
        int n = random.nextInt(1, 40);
        int k = random.nextInt(7);
        try {
            new MatMulCase(form, start, m, n, k, () -> element(format, random))
                    .checkSteps(
                            rounded(new MatMulRounding(products, sums, outputs)),
                            new ExactSteps(products, sums, outputs, n, k));
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(name + ": " + failure.getMessage(), failure);
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyStepIsRoundedOnceAsIfExact(FloatFormat format) {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            for (int options = 0; options < 4; options++) {
                Rounding rounding = new Rounding(format, mode, (options & 1) == 0, (options & 2) > 0);
                String name = rounding.label() + ", seed " + seed;
                MatMulCase.forEachKind(
                        (form, start) -> checkExact(rounding, rounding, rounding, form, start, format, random, name));
            }
        }
    }

    @Test
    void sitesMayDiffer() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        List<FloatFormat> formats = formats();
        List<Rounding.Mode> modes = List.of(Rounding.Mode.values());
        List<MatMul.Form> forms = List.of(MatMul.Form.values());
        List<MatMulCase.Start> starts = List.of(MatMulCase.Start.values());
        for (int i = 0; i < 1000; i++) {
            Rounding[] sites = new Rounding[3];
            FloatFormat format = FloatFormat.BINARY32;
            for (int site = 0; site < 3; site++) {
                FloatFormat drawn = formats.get(random.nextInt(formats.size()));
                format = site == 0 || random.nextBoolean() ? drawn : format;
                Rounding.Mode mode = modes.get(i % 2 == 0 ? 0 : random.nextInt(modes.size()));
                sites[site] = new Rounding(format, mode, random.nextInt(4) > 0, random.nextInt(4) == 0);
            }
            @Nullable Rounding products = i % 5 == 0 ? null : sites[0];
            @Nullable Rounding sums = i % 5 == 1 ? null : sites[1];
            @Nullable Rounding outputs = i % 5 == 2 ? null : sites[2];
            MatMul.Form form = forms.get(random.nextInt(forms.size()));
            MatMulCase.Start start = starts.get(random.nextInt(starts.size()));
            String name = new MatMulRounding(products, sums, outputs) + ", seed " + seed;
            checkExact(products, sums, outputs, form, start, format, random, name);
        }
    }

    /** In a format with neighbours 1 and 3/2, 1 + f / 2 is rounded to 3/2 if f + u = 1, and to 1 if f + u is less. */
    @ParameterizedTest
    @EnumSource(names = {"NN", "TN"})
    void stochasticSumsGoAwayFromTheLimitOn(MatMul.Form form) {
        Rounding stochastic = new Rounding(FloatFormat.E2M1, Rounding.Mode.STOCHASTIC, true, false);
        MatMul matMul = rounded(new MatMulRounding(null, stochastic, null));
        int n = 45;
        float[] b = new float[n];
        float[] bias = new float[n];
        Arrays.fill(bias, 1);
        float[] c = new float[n];
        for (float expected : new float[] {1.5f, 1}) {
            for (int j = 0; j < n; j++) {
                float limit = 0.5f * (1 - (STREAM.part(1).word(j) >>> 8) * 0x1p-24f);
                b[j] = expected > 1 ? limit : Math.nextDown(limit);
            }
            matMul.multiplyAddBias(
                    form,
                    Matrix.of(c, 1, n),
                    Matrix.of(new float[] {1}, 1, 1),
                    Matrix.of(b, form.rowsOfB(n, 1), form.columnsOfB(n, 1)),
                    Matrix.row(bias, 0, n));
            assertThat(c).containsOnly(expected);
        }
    }
}
