package org.lemmata.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.measure.MatrixSpectrum.Eigenvalue;
import org.lemmata.measure.MatrixSpectrum.SingularValue;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

class MatrixSpectrumTest {

    private static final Offset<Double> CLOSE = within(1e-12);

    private static MatrixSpectrum of(int n, double... entries) {
        return MatrixSpectrum.of(new DMatrixRMaj(n, n, true, entries));
    }

    /** Two dimensions are rotated by 60 degrees and scaled by 3; one is reflected and scaled by 2. */
    @Test
    void aTurnHasConjugateEigenvaluesAndItsCosine() {
        double c = 3 * Math.cos(Math.PI / 3);
        double s = 3 * Math.sin(Math.PI / 3);
        MatrixSpectrum spectrum = of(3, c, -s, 0, s, c, 0, 0, 0, -2);
        assertThat(spectrum.eigenvalues()).hasSize(3);
        assertClose(spectrum.eigenvalues().get(0), c, s);
        assertClose(spectrum.eigenvalues().get(1), c, -s);
        assertClose(spectrum.eigenvalues().get(2), -2, 0);
        assertThat(spectrum.singularValues().stream().map(SingularValue::value))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(3.0, 3.0, 2.0);
        assertThat(spectrum.singularValues().get(0).cosine()).isCloseTo(0.5, CLOSE);
        assertThat(spectrum.singularValues().get(2).cosine()).isCloseTo(-1, CLOSE);
        assertThat(spectrum.stableRank()).isCloseTo((9 + 9 + 4) / 9.0, CLOSE);
    }

    private static void assertClose(Eigenvalue value, double real, double imaginary) {
        assertThat(value.real()).isCloseTo(real, CLOSE);
        assertThat(value.imaginary()).isCloseTo(imaginary, CLOSE);
    }

    /** The traces of the powers 1 to n of the matrix are the power sums of its n eigenvalues and determine them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void eigenvaluesHaveTheSumsOfPowersThatTheTracesAre(int n) {
        long seed = 1_900L + n;
        var random = new Random(seed);
        double[] a = random.doubles((long) n * n, -1, 1).toArray();
        MatrixSpectrum spectrum = of(n, a);
        double[] power = a;
        for (int k = 1; k <= n; k++) {
            double sum = 0;
            double imaginary = 0;
            for (Eigenvalue value : spectrum.eigenvalues()) {
                double angle = k * Math.atan2(value.imaginary(), value.real());
                sum += Math.pow(value.modulus(), k) * Math.cos(angle);
                imaginary += Math.pow(value.modulus(), k) * Math.sin(angle);
            }
            assertThat(sum).as("seed %d, power %d", seed, k).isCloseTo(trace(n, power), within(1e-9));
            assertThat(imaginary).as("seed %d, power %d", seed, k).isCloseTo(0, within(1e-9));
            power = product(n, power, a);
        }
        double[] gram = product(n, transposed(n, a), a);
        double[] squares = spectrum.singularValues().stream()
                .mapToDouble(singular -> singular.value() * singular.value())
                .toArray();
        power = gram;
        for (int k = 1; k <= n; k++) {
            int exponent = k;
            double sum = Arrays.stream(squares)
                    .map(square -> Math.pow(square, exponent))
                    .sum();
            assertThat(sum).as("seed %d, power %d", seed, k).isCloseTo(trace(n, power), within(1e-8 * sum));
            power = product(n, power, gram);
        }
    }

    private static double trace(int n, double[] a) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += a[i * n + i];
        }
        return sum;
    }

    private static double[] transposed(int n, double[] a) {
        double[] t = new double[n * n];
        for (int i = 0; i < n * n; i++) {
            t[i % n * n + i / n] = a[i];
        }
        return t;
    }

    private static double[] product(int n, double[] a, double[] b) {
        double[] c = new double[n * n];
        for (int i = 0; i < n * n; i++) {
            for (int k = 0; k < n; k++) {
                c[i] += a[i / n * n + k] * b[k * n + i % n];
            }
        }
        return c;
    }

    /** Uses the requested layer, all heads, and V before O. */
    @Test
    void isThatOfValueTimesOutput() {
        var architecture = Architecture.gpt2(2, 4, 6, 2, 3, 8, 0);
        Parameters parameters = Parameters.normal(architecture, 1, new Random(4));
        double[] value = matrix(parameters, ParameterRole.VALUE);
        double[] output = matrix(parameters, ParameterRole.OUTPUT);
        assertThat(MatrixSpectrum.ofValueAndOutput(parameters, 1)).isEqualTo(of(6, product(6, value, output)));
        var alone = architecture.withAttention(AttentionOptions.softmax(3, 2).withOutputProjection(false));
        Parameters less = Parameters.normal(alone, 1, new Random(4));
        assertThat(MatrixSpectrum.ofValueAndOutput(less, 1)).isEqualTo(of(6, matrix(less, ParameterRole.VALUE)));
    }

    private static double[] matrix(Parameters parameters, ParameterRole role) {
        ParameterView view = parameters.architecture().view(role, 1);
        return IntStream.range(view.offset(), view.offset() + view.size())
                .mapToDouble(i -> parameters.values()[i])
                .toArray();
    }

    @Test
    void theZeroMatrixHasRankZero() {
        assertThat(of(2, 0, 0, 0, 0).stableRank()).isZero();
    }
}
