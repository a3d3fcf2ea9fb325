package org.lemmata.figure.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertOutcome;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Scope;
import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

class PretrainedHeadsTest {

    private static final int WIDTH = 32;

    /** Random parameters whose heads are as wide as the model, so that factors of heads can be the identity. */
    private static Parameters drawn() {
        return Parameters.normal(Architecture.gpt2(5, 4, WIDTH, 4, 1, 8, 0), 1, new Random(5));
    }

    /** Parameters whose first layers have keys equal to queries, and outputs equal to minus the transposed values. */
    private static Parameters withDiagonals(int layers) {
        Parameters parameters = drawn();
        float[] values = parameters.values();
        for (int layer = 0; layer < layers; layer++) {
            ParameterView query = parameters.architecture().view(ParameterRole.QUERY, layer);
            ParameterView key = parameters.architecture().view(ParameterRole.KEY, layer);
            ParameterView value = parameters.architecture().view(ParameterRole.VALUE, layer);
            ParameterView output = parameters.architecture().view(ParameterRole.OUTPUT, layer);
            for (int i = 0; i < WIDTH * WIDTH; i++) {
                values[key.offset() + i] = values[query.offset() + i];
                values[output.offset() + i % WIDTH * WIDTH + i / WIDTH] = -values[value.offset() + i];
            }
        }
        return parameters;
    }

    @Test
    void severalStrongDiagonalsSupportFewRefute() {
        Finding three = SymbolFigures.of(withDiagonals(3), true);
        assertSupported(three);
        assertThat(three.measured())
                .hasSize(4)
                .first()
                .satisfies(each -> assertThat(each.value()).isEqualTo(3));
        Finding two = SymbolFigures.of(withDiagonals(2), true);
        assertOutcome(two, Outcome.REFUTED);
        assertOutcome(SymbolFigures.of(withDiagonals(3), false), Outcome.NOT_TESTED);
    }

    @Test
    void withoutAFileNothingIsDecidedAndTheReasonSaysWhatToGive() {
        for (ComputedClaim claim : List.of(SymbolFigures.FIGURE_5, SymbolFigures.FIGURE_20)) {
            Finding finding = claim.check(Budget.QUICK, SCALAR);
            assertOutcome(finding, Outcome.NOT_TESTED);
            assertThat(finding.verdict().reason())
                    .startsWith("no run yet: ")
                    .contains("verify " + claim.id() + " -p file=");
        }
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Scope scope = SymbolFigures.FIGURE_5.scope(Budget.QUICK, Map.of("file", "no-such.safetensors"));
        assertThatThrownBy(() -> SymbolFigures.FIGURE_5.check(scope, SCALAR))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("no-such.safetensors");
    }
}
