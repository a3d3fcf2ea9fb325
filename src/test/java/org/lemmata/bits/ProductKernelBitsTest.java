package org.lemmata.bits;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.MatMulRounding;
import org.lemmata.kernel.matmul.RoundedMatMul;
import org.lemmata.kernel.matmul.ScalarRoundedMatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.normalization.NormalizationRounding;
import org.lemmata.kernel.normalization.RoundedNormalization;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Rounding.Mode;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/** Bits of matrix products, of rounding, and of products and norms with rounding. */
class ProductKernelBitsTest {

    /** m, n, k: a row, odd sizes, whole tiles, a depth beyond one block, and enough work for two threads. */
    private static final int[][] SIZES = {
        {1, 1, 1}, {3, 5, 7}, {13, 17, 19}, {1, 70, 48}, {24, 64, 16}, {37, 65, 33}, {7, 33, 401}, {150, 140, 130}
    };

    private static final int[][] SMALL_SIZES = {{1, 1, 1}, {3, 5, 7}, {13, 33, 18}, {40, 70, 30}};

    private static final RandomStream STREAM = new RandomStream(11, 5, 3);

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
    private static final Rounding BINARY16 = Rounding.toNearestEven(FloatFormat.BINARY16);
    private static final Rounding STOCHASTIC = new Rounding(FloatFormat.BINARY16, Mode.STOCHASTIC, true, false);
    private static final TensorRounding BLOCKS = TensorRounding.parse("mxfp8_e4m3", Mode.TIES_TO_EVEN, true, false);

    private enum Start {
        ZERO,
        RESULT,
        BIAS
    }

    @Test
    void bitsAreThoseRecorded() throws IOException {
        Recording.check("product", recording -> {
            products(recording);
            rounding(recording);
            roundedProducts(recording);
            roundedNorms(recording);
        });
    }

    private static void products(Recording recording) throws IOException {
        for (MatMul.Form form : MatMul.Form.values()) {
            for (Start start : Start.values()) {
                recording.each(form + " from " + start, (kernels, bits) -> {
                    for (int[] size : SIZES) {
                        multiply(kernels.matMul(), bits, form, start, size[0], size[1], size[2]);
                    }
                });
            }
        }
    }

    private static void multiply(MatMul matMul, Bits bits, MatMul.Form form, Start start, int m, int n, int k) {
        Drawn drawn = new Drawn(k);
        Matrix c = drawn.rows(m, n);
        Matrix a = form == MatMul.Form.TN ? drawn.rows(k, m) : drawn.rows(m, k);
        Matrix b = form == MatMul.Form.NT ? drawn.rows(n, k) : drawn.rows(k, n);
        Matrix bias = drawn.row(n);
        if (start == Start.BIAS) {
            matMul.multiplyAddBias(form, c, a, b, bias);
        } else {
            matMul.multiply(form, start == Start.RESULT, c, a, b);
        }
        bits.add(c.array());
    }

    /** Rounds to every format in every mode. */
    private static void rounding(Recording recording) throws IOException {
        for (String format : TensorRounding.NAMES) {
            String name = format.replace("float(p,emin,emax)", "float(5,-7,9)")
                    .replace("log-precision(c,n)", "log-precision(2,100)")
                    .replace("threshold(p)", "threshold(9)")
                    .replace("multiple(q)", "multiple(0.125)");
            recording.each("rounding to " + name, (kernels, bits) -> {
                for (Mode mode : Mode.values()) {
                    round(kernels, bits, TensorRounding.parse(name, mode, true, false));
                    round(kernels, bits, TensorRounding.parse(name, mode, false, true));
                }
            });
        }
    }

    private static void round(Kernels kernels, Bits bits, TensorRounding rounding) {
        round(kernels, bits, rounding, 1, 7);
        round(kernels, bits, rounding, 3, 71);
        round(kernels, bits, rounding, 40, 130);
    }

    private static void round(Kernels kernels, Bits bits, TensorRounding rounding, int rows, int columns) {
        Drawn drawn = new Drawn(columns);
        for (int time = 0; time < 2; time++) {
            Matrix x = drawn.rows(rows, columns);
            Matrix y = drawn.rows(rows, columns);
            if (time == 0) {
                System.arraycopy(drawn.patterns(x.array().length), 0, x.array(), 0, x.array().length);
            }
            kernels.quantization().round(y, x, rounding, STREAM);
            bits.add(y.array());
            if (rounding instanceof Rounding elementwise) {
                Matrix other = drawn.rows(rows, columns);
                Matrix sums = Matrix.row(y.array(), y.offset(), rows * columns);
                Matrix a = Matrix.row(x.array(), x.offset(), rows * columns);
                Matrix b = Matrix.row(other.array(), other.offset(), rows * columns);
                kernels.quantization().add(sums, a, b, elementwise, STREAM);
                bits.add(y.array());
            }
        }
    }

    private static void roundedProducts(Recording recording) throws IOException {
        Map<String, MatMulRounding> roundings = new LinkedHashMap<>();
        roundings.put("nothing rounded", new MatMulRounding(null, null, null));
        roundings.put("results in bfloat16", new MatMulRounding(null, null, BFLOAT16));
        roundings.put("results in blocks", new MatMulRounding(null, null, BLOCKS));
        roundings.put("all in bfloat16", new MatMulRounding(BFLOAT16, BFLOAT16, BFLOAT16));
        roundings.put("all in binary16 at random", new MatMulRounding(STOCHASTIC, STOCHASTIC, STOCHASTIC));
        roundings.put("products in binary16", new MatMulRounding(BINARY16, null, null));
        roundings.put("sums in binary16 at random", new MatMulRounding(null, STOCHASTIC, null));
        roundings.put(
                "products toward zero, sums to odd, results up",
                new MatMulRounding(
                        new Rounding(FloatFormat.OCP_E4M3, Mode.TOWARD_ZERO, true, true),
                        new Rounding(FloatFormat.TF32, Mode.TO_ODD, false, false),
                        new Rounding(FloatFormat.OCP_E5M2, Mode.TOWARD_POSITIVE, true, false)));
        for (Map.Entry<String, MatMulRounding> rounding : roundings.entrySet()) {
            for (MatMul.Form form : MatMul.Form.values()) {
                recording.each("rounded " + form + ", " + rounding.getKey(), (kernels, bits) -> {
                    MatMul matMul = kernels.simd()
                            ? new RoundedMatMul(rounding.getValue(), STREAM, kernels.workers())
                            : new ScalarRoundedMatMul(rounding.getValue(), STREAM);
                    for (Start start : Start.values()) {
                        for (int[] size : SMALL_SIZES) {
                            multiply(matMul, bits, form, start, size[0], size[1], size[2]);
                        }
                    }
                });
            }
        }
    }

    private static void roundedNorms(Recording recording) throws IOException {
        Map<String, NormalizationRounding> roundings = new LinkedHashMap<>();
        roundings.put("nothing rounded", new NormalizationRounding(null, null, null));
        roundings.put("results in bfloat16", new NormalizationRounding(null, null, BFLOAT16));
        roundings.put("results in blocks", new NormalizationRounding(null, null, BLOCKS));
        roundings.put("all in bfloat16", new NormalizationRounding(BFLOAT16, BFLOAT16, BFLOAT16));
        roundings.put("all in binary16 at random", new NormalizationRounding(STOCHASTIC, STOCHASTIC, STOCHASTIC));
        roundings.put("statistics in binary16", new NormalizationRounding(null, BINARY16, null));
        for (Map.Entry<String, NormalizationRounding> rounding : roundings.entrySet()) {
            for (Normalization.Kind kind : Normalization.Kind.values()) {
                recording.each("rounded normalization " + kind + ", " + rounding.getKey(), (kernels, bits) -> {
                    var normalization = new RoundedNormalization(
                            rounding.getValue(), STREAM, kernels.normalization(), kernels.quantization());
                    KernelBitsTest.normalization(normalization, bits, kind, 3, 5, true, true);
                    KernelBitsTest.normalization(normalization, bits, kind, 14, 37, false, false);
                    KernelBitsTest.normalization(normalization, bits, kind, 5, 130, true, false);
                });
            }
        }
    }
}
