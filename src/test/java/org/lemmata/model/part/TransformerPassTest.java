package org.lemmata.model.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.ModelCase;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

class TransformerPassTest {

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);

    @Test
    void withoutAPolicyTheParametersThemselvesAreRead() {
        Parameters parameters = ModelCase.named("GPT-2").parameters();
        var pass = new TransformerPass(parameters, PrecisionPolicy.none(), Kernels.best(), true);
        assertThat(pass.values()).isSameAs(parameters.values());
    }

    /** Dropout multiplies by 1 / 0.7, which the format cannot represent. */
    @Test
    void whatDropoutScalesIsRoundedAgain() {
        ModelCase model = ModelCase.named("GPT-2");
        Architecture architecture =
                model.architecture().withDropout(0.3).withResidual(false).withLayers(1);
        var parameters = Parameters.normal(architecture, 0.5, new Random(1));
        Batch batch = Batch.of(model.sequences());
        int elements = batch.ids().length * architecture.width();
        PrecisionPolicy policy =
                PrecisionPolicy.only(PrecisionSite.EMBEDDINGS, BFLOAT16).with(PrecisionSite.RESIDUAL, BFLOAT16);
        var pass = new TransformerPass(parameters, policy, Kernels.best(), true);
        pass.begin(1);
        float[] x = pass.run(batch, new DropoutSeed(3, 1));
        for (float[] tensor : List.of(pass.input(0), pass.attended(0), x)) {
            int zeros = 0;
            for (int i = 0; i < elements; i++) {
                assertThat(tensor[i]).isEqualTo(BFLOAT16.round(tensor[i]));
                zeros += tensor[i] == 0 ? 1 : 0;
            }
            assertThat(zeros).isBetween(elements / 5, elements / 2);
        }
    }
}
