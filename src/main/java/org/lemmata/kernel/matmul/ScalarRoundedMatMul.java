package org.lemmata.kernel.matmul;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Extents;
import org.lemmata.kernel.quantization.ScalarQuantization;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * The reference of {@link RoundedMatMul}: the same bits, one element at a time, by {@link Rounding#round(double, int)}
 * and {@link Rounding#roundSum(float, float, int)}.
 */
public final class ScalarRoundedMatMul implements MatMul {

    private final MatMulRounding rounding;
    private final RandomStream productStream;
    private final RandomStream sumStream;
    private final RandomStream outputStream;
    private final ScalarQuantization quantization = new ScalarQuantization();

    /** @param stream the random words of stochastic roundings; others do not look at it */
    public ScalarRoundedMatMul(MatMulRounding rounding, RandomStream stream) {
        this.rounding = rounding;
        productStream = stream.part(RoundedMatMul.PRODUCTS);
        sumStream = stream.part(RoundedMatMul.SUMS);
        outputStream = stream.part(RoundedMatMul.OUTPUTS);
    }

    @Override
    public void multiply(
            Form form,
            boolean accumulate,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k) {
        MatMul.check(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
        for (int i = 0; i < m && !accumulate; i++) {
            Arrays.fill(c, cOffset + i * cStride, cOffset + i * cStride + n, 0);
        }
        addProduct(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
    }

    @Override
    public void multiplyAddBias(
            Form form,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            float[] bias,
            int biasOffset,
            int m,
            int n,
            int k) {
        MatMul.check(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
        Extents.checkVector("bias", bias, biasOffset, n);
        for (int i = 0; i < m; i++) {
            System.arraycopy(bias, biasOffset, c, cOffset + i * cStride, n);
        }
        addProduct(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
    }

    /** The running sums lie in C. */
    private void addProduct(
            Form form,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k) {
        int aRowStep = form == Form.TN ? 1 : aStride;
        int aInnerStep = form == Form.TN ? aStride : 1;
        int bInnerStep = form == Form.NT ? 1 : bStride;
        int bColumnStep = form == Form.NT ? bStride : 1;
        for (int i = 0; i < m; i++) {
            for (int l = 0; l < k; l++) {
                long row = (long) i * k + l;
                float left = a[aOffset + i * aRowStep + l * aInnerStep];
                addRow(c, cOffset + i * cStride, left, b, bOffset + l * bInnerStep, bColumnStep, n, row);
            }
        }
        if (rounding.outputs() != null) {
            quantization.round(c, cOffset, cStride, c, cOffset, cStride, m, n, rounding.outputs(), outputStream);
        }
    }

    /** @param row of the words, n elements rounded up to whole tiles each */
    private void addRow(float[] c, int cAt, float left, float[] b, int bAt, int bColumnStep, int n, long row) {
        int[] productWords = new int[RandomStream.TILE];
        int[] sumWords = new int[RandomStream.TILE];
        long firstTile = row * Math.ceilDiv(n, RandomStream.TILE);
        for (int j = 0; j < n; j++) {
            int word = j % RandomStream.TILE;
            if (word == 0) {
                int tile = (int) (firstTile + j / RandomStream.TILE);
                fill(productWords, rounding.products(), productStream, tile);
                fill(sumWords, rounding.sums(), sumStream, tile);
            }
            float right = b[bAt + j * bColumnStep];
            c[cAt + j] = rounding.roundsSteps()
                    ? step(c[cAt + j], left, right, productWords[word], sumWords[word])
                    : Math.fma(left, right, c[cAt + j]);
        }
    }

    private static void fill(int[] words, @Nullable Rounding rounding, RandomStream stream, int tile) {
        if (rounding != null && rounding.isStochastic()) {
            stream.tileInto(words, 0, tile);
        }
    }

    private float step(float sum, float left, float right, int productWord, int sumWord) {
        double exact = (double) left * right;
        float product = (float)
                (rounding.products() == null ? exact : rounding.products().round(exact, productWord));
        return rounding.sums() == null ? sum + product : rounding.sums().roundSum(sum, product, sumWord);
    }
}
