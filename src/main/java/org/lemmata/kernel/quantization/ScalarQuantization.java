package org.lemmata.kernel.quantization;

import org.lemmata.number.BlockRounding;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/** The reference: element by element. */
public final class ScalarQuantization implements Quantization {

    @Override
    public void round(
            float[] y,
            int yOffset,
            int yStride,
            float[] x,
            int xOffset,
            int xStride,
            int rows,
            int columns,
            TensorRounding rounding,
            RandomStream stream) {
        Quantization.check(y, yOffset, yStride, x, xOffset, xStride, rows, columns);
        int tiles = (columns + RandomStream.TILE - 1) / RandomStream.TILE;
        int[] words = new int[tiles * RandomStream.TILE];
        for (int row = 0; row < rows; row++) {
            for (int tile = 0; tile < tiles && rounding.isStochastic(); tile++) {
                stream.tileInto(words, tile * RandomStream.TILE, row * tiles + tile);
            }
            int yRow = yOffset + row * yStride;
            int xRow = xOffset + row * xStride;
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
    public void add(
            float[] y,
            int yOffset,
            float[] a,
            int aOffset,
            float[] b,
            int bOffset,
            int length,
            Rounding rounding,
            RandomStream stream) {
        Quantization.check(y, yOffset, a, aOffset, b, bOffset, length);
        int[] words = new int[RandomStream.TILE];
        for (int i = 0; i < length; i++) {
            if (i % RandomStream.TILE == 0 && rounding.isStochastic()) {
                stream.tileInto(words, 0, i / RandomStream.TILE);
            }
            y[yOffset + i] = rounding.roundSum(a[aOffset + i], b[bOffset + i], words[i % RandomStream.TILE]);
        }
    }
}
