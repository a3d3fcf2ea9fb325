package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.ScalarQuantization;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * The scalar reference of {@link RoundedMatMul}, with the same bits. Rounds one number at a time by
 * {@link Rounding#round(double, int)} and {@link Rounding#roundSum(float, float, int)}.
 */
public final class ScalarRoundedMatMul implements MatMul {

    private final MatMulRounding rounding;
    private final RandomStream productStream;
    private final RandomStream sumStream;
    private final RandomStream outputStream;
    private final ScalarQuantization quantization = new ScalarQuantization();

    /** @param stream the random words of stochastic rounding; ignored by other modes */
    public ScalarRoundedMatMul(MatMulRounding rounding, RandomStream stream) {
        this.rounding = rounding;
        productStream = stream.part(RoundedMatMul.PRODUCTS);
        sumStream = stream.part(RoundedMatMul.SUMS);
        outputStream = stream.part(RoundedMatMul.OUTPUTS);
    }

    @Override
    public void multiply(Form form, boolean accumulate, Matrix c, Matrix a, Matrix b) {
        if (!accumulate) {
            multiplyAddBias(form, c, a, b, null);
            return;
        }
        MatMul.check(form, c, a, b, null);
        addProduct(form, c, a, b);
    }

    @Override
    public void multiplyAddBias(Form form, Matrix c, Matrix a, Matrix b, @Nullable Matrix bias) {
        MatMul.check(form, c, a, b, bias);
        for (int i = 0; i < c.rows(); i++) {
            for (int j = 0; j < c.columns(); j++) {
                c.array()[c.start(i) + j] = bias == null ? 0 : bias.get(0, j);
            }
        }
        addProduct(form, c, a, b);
    }

    /** Adds the product to C, which contains the running sums, and then rounds the outputs. */
    private void addProduct(Form form, Matrix c, Matrix a, Matrix b) {
        int k = form.inner(a);
        int aRowStep = form == Form.TN ? 1 : a.stride();
        int aInnerStep = form == Form.TN ? a.stride() : 1;
        int bInnerStep = form == Form.NT ? 1 : b.stride();
        int bColumnStep = form == Form.NT ? b.stride() : 1;
        for (int i = 0; i < c.rows(); i++) {
            for (int l = 0; l < k; l++) {
                float left = a.array()[a.offset() + i * aRowStep + l * aInnerStep];
                addRow(c, i, left, b, b.offset() + l * bInnerStep, bColumnStep, (long) i * k + l);
            }
        }
        if (rounding.outputs() != null) {
            quantization.round(c, c, rounding.outputs(), outputStream);
        }
    }

    /** @param wordRow the row of random words; each row has n words, rounded up to whole tiles */
    private void addRow(Matrix result, int row, float left, Matrix b, int bAt, int bColumnStep, long wordRow) {
        float[] c = result.array();
        int cAt = result.offset() + row * result.stride();
        int n = result.columns();
        int[] productWords = new int[RandomStream.TILE];
        int[] sumWords = new int[RandomStream.TILE];
        long firstTile = wordRow * Math.ceilDiv(n, RandomStream.TILE);
        for (int j = 0; j < n; j++) {
            int word = j % RandomStream.TILE;
            if (word == 0) {
                int tile = (int) (firstTile + j / RandomStream.TILE);
                fill(productWords, rounding.products(), productStream, tile);
                fill(sumWords, rounding.sums(), sumStream, tile);
            }
            float right = b.array()[bAt + j * bColumnStep];
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
