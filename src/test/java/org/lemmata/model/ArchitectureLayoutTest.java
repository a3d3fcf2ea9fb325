package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

class ArchitectureLayoutTest {

    static Stream<ModelCase> cases() {
        return ModelCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void viewsFollowEachOtherWithoutHoles(ModelCase model) {
        Set<String> names = new HashSet<>();
        int next = 0;
        for (ParameterView view : model.architecture().layout()) {
            assertThat(view.offset()).as("%s of %s", view, model).isEqualTo(next);
            assertThat(names.add(view.name()))
                    .as("%s of %s is there once", view, model)
                    .isTrue();
            next += view.rows() * view.columns();
        }
        assertThat(model.architecture().parameterCount()).as("%s", model).isEqualTo(next);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void parametersAreThoseOfTheFormula(ModelCase model) {
        Architecture of = model.architecture();
        int attention = of.width() * of.heads() * of.headWidth();
        int scores = of.weighting() == Weighting.UNIFORM ? 0 : 2 * attention;
        int layer = scores + attention + (of.outputProjection() ? attention : 0);
        int expected = of.vocabularySize() * of.width() * (of.tiedUnembedding() ? 1 : 2)
                + (of.learnedPositions() ? of.maxLength() * of.width() : 0)
                + of.layers() * layer;
        assertThat(of.parameterCount()).as("%s", model).isEqualTo(expected);
    }

    @Test
    void whatIsNoArchitectureIsRefused() {
        assertThatThrownBy(() -> architecture(1, 4, 2, 1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("outputProjection: expected one where heads * headWidth (2 * 1) is not the width (4), got"
                        + " none");
        assertThat(architecture(1, 4, 2, 1, true).attentionWidth()).isEqualTo(2);
        assertThatThrownBy(() -> architecture(0, 4, 2, 2, true))
                .hasMessage("vocabularySize: expected at least 1, got 0");
        assertThatThrownBy(() -> architecture(1, 0, 2, 2, true)).hasMessage("width: expected at least 1, got 0");
        assertThatThrownBy(() -> architecture(1, 4, 0, 2, true)).hasMessage("heads: expected at least 1, got 0");
        assertThatThrownBy(() -> architecture(1, 4, 2, -1, true)).hasMessage("headWidth: expected at least 1, got -1");
        assertThatThrownBy(() -> new Architecture(1, 1, 1, 1, 1, 1, Weighting.THRESHOLDED, 1, true, true, true, true))
                .hasMessage("weighting: expected SOFTMAX, UNIFORM or HARDMAX, got THRESHOLDED");
    }

    private static Architecture architecture(
            int vocabularySize, int width, int heads, int headWidth, boolean outputProjection) {
        return new Architecture(
                vocabularySize,
                3,
                width,
                1,
                heads,
                headWidth,
                Weighting.SOFTMAX,
                1,
                true,
                outputProjection,
                true,
                true);
    }

    @Test
    void arraysOfAnotherSizeAreRefused() {
        Architecture architecture = Architecture.uniformHead(2, 6, 1, true);
        assertThat(architecture.parameterCount()).isEqualTo(9);
        assertThatThrownBy(() -> new Parameters(architecture, new float[8]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values: expected 9 elements, got 8");
        assertThatThrownBy(() -> new ExactParameters(architecture, new double[10]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values: expected 9 elements, got 10");
    }

    @Test
    void elementsAreSetByNameAndPlace() {
        var parameters = new ExactParameters(Architecture.uniformHead(2, 3, 2, true));
        parameters.set(ParameterView.POSITION_EMBEDDING, 1, 0, 7);
        assertThat(parameters.values()).containsExactly(0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0);
        assertThatThrownBy(() -> parameters.set(ParameterView.POSITION_EMBEDDING, 3, 0, 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("position_embedding: expected a place within 3 x 2, got (3, 0)");
        assertThatThrownBy(() -> parameters.set(ParameterView.UNEMBEDDING, 0, 0, 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parameter: expected one of [token_embedding, position_embedding, layer.0.value], got"
                        + " 'unembedding'");
    }

    @Test
    void normalParametersHaveTheirDeviationAndWiden() {
        Architecture architecture = Architecture.uniformHead(50, 100, 100, true);
        Parameters parameters = Parameters.normal(architecture, 0.02, new Random(5));
        double[] wide = parameters.widen().values();
        double squares = 0;
        double sum = 0;
        for (int i = 0; i < wide.length; i++) {
            assertThat(wide[i]).isEqualTo(parameters.values()[i]);
            squares += wide[i] * wide[i];
            sum += wide[i];
        }
        // 25,000 draws, seed 5: five standard errors of mean and deviation.
        assertThat(sum / wide.length).isBetween(-0.00064, 0.00064);
        assertThat(Math.sqrt(squares / wide.length)).isBetween(0.0195, 0.0205);
        assertThat(List.of(architecture.layout().getFirst().name())).containsExactly("token_embedding");
    }
}
