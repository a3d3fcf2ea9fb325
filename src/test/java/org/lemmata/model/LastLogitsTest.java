package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

/** The last rows, compared with the computation of all rows. */
class LastLogitsTest {

    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(40));
    }

    private static Batch batch(ModelCase model) {
        Random random = new Random(model.seed());
        return Batch.of(IntStream.of(3, ModelCase.MAX_LENGTH, 1, 16)
                .mapToObj(length -> model.sequence(length, random))
                .toList());
    }

    private static void assertLastRows(LanguageModel model, Batch batch, Object name) {
        double[] all = model.logits(batch);
        double[] last = model.lastLogits(batch);
        int columns = model.architecture().outputs();
        assertThat(last).as("%s", name).hasSize(batch.sequences().count() * columns);
        for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
            int end = batch.sequences().end(sequence);
            assertThat(Arrays.copyOfRange(last, sequence * columns, (sequence + 1) * columns))
                    .as("%s, sequence %d", name, sequence)
                    .isEqualTo(Arrays.copyOfRange(all, (end - 1) * columns, end * columns));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theyHaveTheBitsOfTheLastRowsOfAll(ModelCase model) {
        Batch batch = batch(model);
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            assertLastRows(new Transformer(model.parameters(), kernels), batch, model);
        }
        assertLastRows(new ReferenceTransformer(model.parameters().widen()), batch, model);
    }

    @Test
    void soTheyHaveWhereTensorsAreRounded() {
        PrecisionPolicy policy = PrecisionPolicy.tensors(Rounding.toNearestEven(FloatFormat.BFLOAT16));
        cases().limit(8)
                .forEach(model -> assertLastRows(
                        new Transformer(model.parameters(), policy, Kernels.best()), batch(model), model));
    }

    @Test
    void aSequenceWithoutTokensHasNone() {
        ModelCase model = cases().findFirst().orElseThrow();
        Batch batch = Batch.of(List.of(new int[] {1}, new int[0]));
        for (LanguageModel one : List.of(
                new Transformer(model.parameters(), Kernels.best()),
                new ReferenceTransformer(model.parameters().widen()))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> one.lastLogits(batch))
                    .withMessage("batch: expected sequences of at least 1 token, got none in sequence 1");
            assertThat(one.lastLogits(Batch.of(List.of()))).isEmpty();
        }
    }
}
