package org.lemmata.model;

import java.util.Arrays;
import org.lemmata.oracle.ExactActivation;
import org.lemmata.token.Batch;

/** The formula of {@link MultilayerPerceptron} in binary64, with z_0 written out. */
final class ExactMultilayerPerceptron {

    private ExactMultilayerPerceptron() {}

    /** y of each sequence. */
    static double[] outputs(MultilayerPerceptronOptions options, double[] parameters, Batch batch) {
        int k = options.length();
        double[] outputs = new double[batch.sequences().count()];
        for (int sequence = 0; sequence < outputs.length; sequence++) {
            int[] x = Arrays.copyOfRange(
                    batch.ids(),
                    batch.sequences().start(sequence),
                    batch.sequences().end(sequence));
            double[] z = new double[k * options.vocabularySize() + (options.incidence() ? k * k : 0)];
            for (int t = 0; t < k; t++) {
                z[t * options.vocabularySize() + x[t]] = 1;
                for (int s = 0; options.incidence() && s < k; s++) {
                    z[k * options.vocabularySize() + t * k + s] = x[t] == x[s] ? 1 : 0;
                }
            }
            for (ParameterView view : options.layout()) {
                boolean last = view.role() == ParameterRole.UNEMBEDDING;
                double[] next = new double[last ? 1 : view.columns()];
                for (int i = 0; i < z.length; i++) {
                    for (int j = 0; j < next.length; j++) {
                        next[j] += z[i] * parameters[view.offset() + i * next.length + j];
                    }
                }
                z = last
                        ? next
                        : Arrays.stream(next)
                                .map(y -> ExactActivation.value(
                                        options.activation().name(), y))
                                .toArray();
            }
            outputs[sequence] = z[0];
        }
        return outputs;
    }
}
