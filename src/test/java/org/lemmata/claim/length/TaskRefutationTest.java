package org.lemmata.claim.length;

import static org.lemmata.claim.Verdicts.assertRefuted;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.PiecewiseLinearSine;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ReferenceTransformer;

/** Each claim on a task's limit transformer is refuted for models for which it does not hold. */
class TaskRefutationTest {

    private static Finding simple(Function<SimpleTaskByPiecewiseLinearSine, LanguageModel> models) {
        var given = Map.of("omega", "4", "knots", "65", "lengths", "50");
        return TaskValues.simpleTask(TaskValues.SIMPLE_TASK.scope(Budget.QUICK, given), models);
    }

    private static Finding modP(Function<ModPTaskByPeriodicPositions, LanguageModel> models) {
        var given = Map.of("period", "3", "lengths", "50");
        return TaskValues.modPTask(TaskValues.MOD_P_TASK.scope(Budget.QUICK, given), models);
    }

    @Test
    void theConstructionsThemselvesAreSupported() {
        var computation = Computation.unrounded(Kernels.best());
        assertSupported(simple(computation::model));
        assertSupported(modP(computation::model));
    }

    /** With half the score, attention is hardmax only from 4 tokens on; with twice the value, L = 2. */
    @Test
    void aLaterHardmaxLengthAndAGreaterLAreRefuted() {
        assertSupported(constants(10, 1));
        assertRefuted(constants(5, 1));
        assertRefuted(constants(10, 2));
    }

    private static Finding constants(double score, double value) {
        ExactParameters parameters = new ModPTaskByPeriodicPositions(3, 0, 10, 53, 50).build();
        parameters.set(ParameterRole.KEY, 0, 2, 0, score);
        parameters.set(ParameterRole.VALUE, 0, 1, 0, value);
        var tally = new Tally();
        TaskValues.requireConstants("Delta = 3", LimitFunction.of(parameters), 1, tally);
        return tally.finding("");
    }

    /** With scores below p, two tokens, one of them a 2, share the weight. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 9.99, Double.NaN})
    void smallerScoresRefuteBoth(double score) {
        assertRefuted(simple(construction -> {
            ExactParameters parameters = construction.build();
            parameters.set(ParameterRole.KEY, 0, 0, 0, score);
            parameters.set(ParameterRole.KEY, 0, 1, 0, score);
            return new ReferenceTransformer(parameters);
        }));
        // Of Delta = 3 tokens, two should be ignored, but have weights of 3^-score.
        double ofThree = score * Math.log(2) / Math.log(3);
        assertRefuted(modP(construction -> {
            ExactParameters parameters = construction.build();
            for (int index = 0; index < 3; index++) {
                int key = parameters.architecture().view(ParameterRole.KEY, 0).offset() + 2 + index;
                if (parameters.values()[key] > 0) {
                    parameters.values()[key] = ofThree;
                }
            }
            return new ReferenceTransformer(parameters);
        }));
    }

    @Test
    void otherFrequenciesAndFewerKnotsRefuteSimpleTask() {
        assertRefuted(
                simple(construction -> new SimpleTaskByPiecewiseLinearSine(4.1, 65, 10, 53, 50).model(Kernels.best())));
        assertRefuted(
                simple(construction -> new SimpleTaskByPiecewiseLinearSine(4, 33, 10, 53, 50).model(Kernels.best())));
    }

    @Test
    void otherResiduesRefuteModPTask() {
        assertRefuted(modP(construction -> new ModPTaskByPeriodicPositions(3, 0, 10, 53, 50).model(Kernels.best())));
        assertRefuted(modP(construction -> new ModPTaskByPeriodicPositions(6, 1, 10, 53, 50).model(Kernels.best())));
    }

    @Test
    void otherNetworksRefuteTheNorms() {
        List<Integer> frequencies = List.of(8, 16);
        assertSupported(TaskValues.checkNorms(frequencies, TaskValues::network));
        assertRefuted(TaskValues.checkNorms(frequencies, omega -> TaskValues.network(2 * omega)));
        assertRefuted(TaskValues.checkNorms(frequencies, omega -> TaskValues.network(omega / 2)));
        assertRefuted(TaskValues.checkNorms(frequencies, omega -> new PiecewiseLinearSine(omega, 16, 53)));
    }
}
