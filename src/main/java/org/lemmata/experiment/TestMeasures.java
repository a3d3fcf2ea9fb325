package org.lemmata.experiment;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.config.Configuration;
import org.lemmata.model.Objective;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;
import org.lemmata.token.Batch;
import org.lemmata.train.Evaluation;
import org.lemmata.train.TrainingResult;

/**
 * Measurements on the test set, except the loss of the best step.
 *
 * @param accuracy whether right answers are counted
 * @param last whether the parameters of the last step are also tested, and the lowest training loss is reported
 * @param byLength whether the answers are measured by split and length ({@link SplitAnswers})
 */
record TestMeasures(boolean accuracy, boolean last, boolean byLength) {

    static final List<Setting> KEYS = Setting.table("""
        implied accuracy | false | whether to measure `testAccuracy`, the share of right answers on the test set: the
          likeliest token is right, or the number has the sign of the value
        implied by-length | false | whether to measure losses and right answers by input length, next to trivial
          baselines, at the end: for every split of a data set, or for the drawn validation and test sets
        implied last | false | whether to measure the last step in addition to the best one: `lastTestLoss`,
          `lastTestAccuracy` (with `accuracy`) and `lowestTrainLoss`, the lowest loss of any step
        """);

    /** Reads the keys {@code accuracy}, {@code last} and {@code by-length}. */
    static TestMeasures read(Configuration section, TrainingData.Draw data) {
        boolean accuracy = section.flag("accuracy");
        if (accuracy && data.test() == 0) {
            throw section.refusal("accuracy", "expected false without test examples, got true");
        }
        return new TestMeasures(accuracy, section.flag("last"), section.flag("by-length"));
    }

    /** The number of passes over the test set at the end, including that for the loss of the best step. */
    int passes() {
        return (accuracy ? 2 : 1) * (last ? 2 : 1);
    }

    /**
     * The requested measurements.
     *
     * @param best the objective with the parameters of the best step
     * @param ended the objective with the parameters of the last step
     */
    List<Measurement> of(TrainingResult result, Objective best, Objective ended, List<Batch> test, String unit) {
        var all = new ArrayList<Measurement>(ofWeights(best, test));
        int rows = rows(test);
        if (last) {
            all.add(Measurement.exact("lowestTrainLoss", result.lowestTrainLoss(), unit, result.steps()));
        }
        if (last && !test.isEmpty()) {
            all.add(Measurement.exact("lastTestLoss", Evaluation.loss(ended, test), unit, rows));
        }
        if (last && accuracy) {
            all.add(right("lastTestAccuracy", rows, ended, test));
        }
        return all;
    }

    List<Measurement> ofWeights(Objective objective, List<Batch> test) {
        return accuracy ? List.of(right("testAccuracy", rows(test), objective, test)) : List.of();
    }

    private static int rows(List<Batch> test) {
        return test.stream().mapToInt(batch -> batch.scoredRows().length).sum();
    }

    private static Measurement right(String name, int rows, Objective objective, List<Batch> test) {
        return Measurement.share(
                name,
                rows,
                test.stream()
                        .mapToInt(batch -> objective.right(batch).cardinality())
                        .sum());
    }
}
