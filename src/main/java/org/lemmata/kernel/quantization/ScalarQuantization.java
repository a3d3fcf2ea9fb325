package org.lemmata.kernel.quantization;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/** The scalar reference: rounds one element at a time. */
public final class ScalarQuantization implements Quantization {

    @Override
    public void round(Matrix ofY, Matrix ofX, TensorRounding rounding, RandomStream stream) {
        ofX.require("x", ofY.rows(), ofY.columns());
        float[] y = ofY.array();
        float[] x = ofX.array();
        int columns = ofY.columns();
        int tiles = (columns + RandomStream.TILE - 1) / RandomStream.TILE;
        int[] words = new int[tiles * RandomStream.TILE];
        for (int row = 0; row < ofY.rows(); row++) {
            for (int tile = 0; tile < tiles && rounding.isStochastic(); tile++) {
                stream.tileInto(words, tile * RandomStream.TILE, row * tiles + tile);
            }
            int yRow = ofY.start(row);
            int xRow = ofX.start(row);
            switch (rounding) {
                case Rounding elementwise -> {
                    for (int j = 0; j < columns; j++) {
                        y[yRow + j] = elementwise.round(x[xRow + j], words[j]);
                    }
                }
                case BlockRounding blocks -> {
                    int size = Math.min(blocks.format().size(), columns);
                    for (int j = 0; j < columns; j += size) {
                        roundBlock(y, yRow + j, x, xRow + j, Math.min(size, columns - j), blocks, words, j);
                    }
                }
            }
        }
    }

    private static void roundBlock(
            float[] y, int yAt, float[] x, int xAt, int length, BlockRounding rounding, int[] words, int word) {
        float maximum = 0;
        for (int i = 0; i < length; i++) {
            maximum = Math.max(maximum, Math.abs(x[xAt + i]));
        }
        float scale = rounding.scale(maximum);
        for (int i = 0; i < length; i++) {
            y[yAt + i] = rounding.round(x[xAt + i], scale, words[word + i]);
        }
    }

    @Override
    public void add(Matrix y, Matrix a, Matrix b, Rounding rounding, RandomStream stream) {
        Quantization.check(y, a, b);
        int[] words = new int[RandomStream.TILE];
        for (int i = 0; i < y.rows() * y.columns(); i++) {
            if (i % RandomStream.TILE == 0 && rounding.isStochastic()) {
                stream.tileInto(words, 0, i / RandomStream.TILE);
            }
            float left = a.array()[a.offset() + i];
            float right = b.array()[b.offset() + i];
            y.array()[y.offset() + i] = rounding.roundSum(left, right, words[i % RandomStream.TILE]);
        }
    }
}
