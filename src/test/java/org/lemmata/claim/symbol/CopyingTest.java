package org.lemmata.claim.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.Verdicts.assertOutcome;
import static org.lemmata.claim.Verdicts.assertSupported;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.read;
import static org.lemmata.oracle.ReferenceValues.stream;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.symbol.Copying.CopyingModel;
import org.lemmata.claim.symbol.Copying.CopyingModel.Decrease;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

/** Compares the copying model with an independent implementation in binary64, and tests refutations of its claims. */
class CopyingTest {

    private static final Map<String, ParameterRole> ROLES = Map.of(
            "WE", ParameterRole.TOKEN_EMBEDDING,
            "P", ParameterRole.POSITION_EMBEDDING,
            "WO", ParameterRole.OUTPUT,
            "WV", ParameterRole.VALUE,
            "b", ParameterRole.VALUE_OUTPUT_IDENTITY);

    /** A case of the independent implementation; our table of positions is gamma P. */
    record Case(CopyingModel model, JsonNode figures) {

        /** The element of their parameter group that belongs to an element of ours. */
        double at(String group, JsonNode theirs, int element) {
            int row = element / view(group).columns();
            int column = element % view(group).columns();
            int headWidth = model.headWidth();
            return switch (group) {
                case "WE" -> theirs.get(row).get(column).doubleValue();
                case "WO" ->
                    theirs.get(row / headWidth).get(row % headWidth).get(column).doubleValue();
                case "WV" ->
                    theirs.get(column / headWidth)
                            .get(column % headWidth)
                            .get(row)
                            .doubleValue();
                default -> theirs.get(column).doubleValue();
            };
        }

        ParameterView view(String group) {
            return model.architecture().view(Objects.requireNonNull(ROLES.get(group)), 0);
        }

        double[] parameters() {
            double[] values = new double[model.architecture().parameterCount()];
            for (String group : ROLES.keySet()) {
                for (int i = 0; i < view(group).size(); i++) {
                    double factor = group.equals("P") ? model.gamma() : 1;
                    values[view(group).offset() + i] =
                            factor * at(group, figures.get("params").get(group), i);
                }
            }
            return values;
        }

        int[] trained() {
            return integers(figures.get("train"));
        }

        int unseen() {
            return integer(figures, "test");
        }
    }

    static Stream<Case> cases() {
        return stream(read("symbol-copying").get("cases"))
                .map(each -> new Case(
                        new CopyingModel(
                                integer(each, "m"),
                                integer(each, "d_emb"),
                                integer(each, "H"),
                                integer(each, "d_head"),
                                number(each, "gamma")),
                        each));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void kernelsHaveTheirGradientsAndTheDecreasesTheirInnerProducts(Case of) {
        double[] exact = of.parameters();
        float[] values = new float[exact.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) exact[i];
        }
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            var parameters = new Parameters(of.model().architecture(), values);
            float[] gradients = new float[values.length];
            var batch = CopyingModel.batch(of.trained());
            double loss = new Backpropagation(parameters, kernels)
                    .gradient(gradients, batch, 1.0 / batch.scoredRows().length, 0, 1);
            assertThat(loss).isCloseTo(number(of.figures(), "train_loss"), within(1e-6));
            Map<ParameterRole, Decrease> decreases =
                    of.model().decreases(parameters, of.trained(), of.unseen(), kernels);
            assertThat(decreases).hasSize(ROLES.size());
            for (String group : ROLES.keySet()) {
                double factor = group.equals("P") ? of.model().gamma() : 1;
                for (int i = 0; i < of.view(group).size(); i++) {
                    assertThat(factor * gradients[of.view(group).offset() + i])
                            .as("%s[%d]", group, i)
                            .isCloseTo(
                                    of.at(group, of.figures().get("grad_train").get(group), i), within(2e-6));
                }
                Decrease decrease = Objects.requireNonNull(decreases.get(ROLES.get(group)));
                assertThat(decrease.train())
                        .isCloseTo(number(of.figures().get("squared_norms_train"), group), within(5e-6));
                assertThat(decrease.test())
                        .isCloseTo(number(of.figures().get("inner_products_train_test"), group), within(5e-6));
            }
        }
    }

    @Test
    void theLimitsAreTheirs() {
        for (JsonNode limits : read("symbol-copying").get("limits")) {
            var model = new CopyingModel(integer(limits, "m"), 8, 2, 2, number(limits, "gamma"));
            ROLES.forEach((group, role) -> {
                JsonNode theirs = limits.get("limits").get(group);
                Decrease ours = model.limit(role, integer(limits, "n"));
                assertThat(ours.train()).isCloseTo(theirs.get(0).doubleValue(), within(1e-12));
                assertThat(ours.test()).isCloseTo(theirs.get(1).doubleValue(), within(1e-12));
            });
        }
    }

    /** Draws of two models; the wider one differs from the limits by a factor and some noise. */
    private static List<Copying.Draws> draws(double factor) {
        return IntStream.of(64, 1024)
                .mapToObj(width -> {
                    var model = new CopyingModel(20, width, 16, width / 16, 1);
                    var all = new ArrayList<Map<ParameterRole, Decrease>>();
                    for (int draw = 0; draw < 8; draw++) {
                        double off = (1 + (draw - 3) * 0.01) * (width == 64 ? 1.5 : 1.01 * factor);
                        all.add(ROLES.values().stream()
                                .collect(Collectors.toMap(
                                        Function.identity(),
                                        role -> model.limit(role, 10).times(off))));
                    }
                    return new Copying.Draws(model, all);
                })
                .toList();
    }

    @Test
    void whatTendsToTheLimitsSupportsTheCorrectedForms() {
        assertSupported(Copying.check(false, draws(1)));
        assertSupported(Copying.check(true, draws(1)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTendsElsewhereRefutesTheCorrectedForms(boolean copies) {
        for (double factor : new double[] {-1, 0.5, 1.6}) {
            assertOutcome(Copying.check(copies, draws(factor)), Outcome.REFUTED);
        }
    }

    @Test
    void whatVanishesRefutesThatTheLossRises() {
        List<Copying.Draws> vanishing = draws(1);
        for (Copying.Draws of : vanishing) {
            for (int draw = 0; draw < of.all().size(); draw++) {
                double small = draw % 2 == 0 ? 1e-3 : -1e-3;
                of.all().get(draw).replaceAll((role, each) -> new Decrease(each.train(), small));
            }
        }
        assertOutcome(Copying.check(false, vanishing), Outcome.REFUTED);
    }
}
