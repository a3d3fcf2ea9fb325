package org.lemmata.kernel.quantization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;

class RoundedMultiplyAddTest {

    private static final int LENGTH = 2 * Species.FLOAT.length() + 3;

    private static final int Y = 2;
    private static final int B = 3;

    private static final String[] FORMATS = {
        "binary32", "binary16", "bfloat16", "ocp_e4m3",
        "float(2,1,1)", "float(24,-14,15)", "float(24,-60,20)", "float(23,-60,127)",
        "float(25,-60,100)", "log-precision(2,4096)", "multiple(0.375)"
    };

    /** Each product and each sum is rounded once, SIMD or scalar; elements around the row do not change. */
    @ParameterizedTest
    @EnumSource
    void roundsLikeOneElementAtATime(Rounding.Mode mode) {
        var random = new SplittableRandom(5);
        for (String productFormat : FORMATS) {
            for (String sumFormat : FORMATS) {
                for (int options = 0; options < 4; options++) {
                    Rounding products = rounding(productFormat, mode, options);
                    Rounding sums = rounding(sumFormat, mode, options);
                    for (int length = 0; length <= LENGTH; length += 1 + random.nextInt(Species.FLOAT.length())) {
                        check(products, sums, options % 2 == 0, length, random);
                    }
                }
            }
        }
    }

    private static Rounding rounding(String format, Rounding.Mode mode, int options) {
        return new Rounding(NumberFormat.find(format).orElseThrow(), mode, options < 2, options == 1);
    }

    private static void check(Rounding products, Rounding sums, boolean rounded, int length, SplittableRandom random) {
        int[] productWords = random.ints(LENGTH).toArray();
        int[] sumWords = random.ints(LENGTH).toArray();
        float[] numbers = ScalarQuantizationTest.numbers(2 * LENGTH + 1, random);
        float a = random.nextInt(3) == 0 ? numbers[0] : Math.scalb(1f, random.nextInt(-3, 3));
        double[] b = new double[B + LENGTH];
        double[] y = new double[Y + LENGTH];
        float[] expected = new float[y.length];
        for (int j = 0; j < LENGTH; j++) {
            b[B + j] = numbers[1 + j];
            // A number of the row, or one whose sum with the product cancels, is a tie, or has a small tail.
            float start = random.nextBoolean()
                    ? numbers[1 + LENGTH + j]
                    : (float) (a * b[B + j] * Math.scalb(random.nextBoolean() ? 1 : -1.5, random.nextInt(-2, 40)));
            y[Y + j] = rounded ? sums.round(start, sumWords[j]) : start;
            float product = (float) products.round(a * b[B + j], productWords[j]);
            expected[Y + j] = (float) y[Y + j];
            if (j < length) {
                expected[Y + j] = sums.roundSum(expected[Y + j], product, sumWords[j]);
            }
        }
        var space = new RoundedMultiplyAdd.Space(new double[LENGTH], productWords, sumWords);
        new RoundedMultiplyAdd(products, sums).add(y, Y, rounded, a, b, B, length, space);
        String name = products.label() + ", " + sums.label() + ", " + length + " sums";
        for (int j = 0; j < y.length; j++) {
            ScalarQuantizationTest.assertBits((float) y[j], expected[j], a, name);
        }
    }

    @Test
    void isThatOfBinary32UnlessSet() {
        Rounding binary32 = Rounding.toNearestEven(FloatFormat.BINARY32);
        Rounding other = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        assertThat(new RoundedMultiplyAdd(null, other).products()).isEqualTo(binary32);
        assertThat(new RoundedMultiplyAdd(other, null).sums()).isEqualTo(binary32);
    }
}
