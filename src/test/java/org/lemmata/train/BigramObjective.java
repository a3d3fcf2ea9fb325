package org.lemmata.train;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.lemmata.model.Objective;
import org.lemmata.model.ParameterView;
import org.lemmata.token.Batch;

/**
 * Softmax regression of the next token on the current one: the logits after token i are row i of W, plus b; the loss is
 * the cross-entropy. All sums are in binary64, in the order of the rows.
 */
class BigramObjective implements Objective {

    private final int symbols;
    private final List<ParameterView> layout;
    private final float[] parameters;

    BigramObjective(int symbols) {
        this.symbols = symbols;
        var layout = new TestLayout().matrix("unembedding", symbols, symbols).vector("unembedding_bias", symbols);
        this.layout = layout.views();
        parameters = new float[layout.size()];
    }

    @Override
    public List<ParameterView> layout() {
        return layout;
    }

    @Override
    public float[] parameters() {
        return parameters;
    }

    @Override
    public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
        double sum = 0;
        double[] probabilities = new double[symbols];
        for (int i = 0; i < batch.scoredRows().length; i++) {
            int token = batch.ids()[batch.scoredRows()[i]];
            sum += crossEntropy(probabilities, token, batch.targets()[i]);
            probabilities[batch.targets()[i]] -= 1;
            for (int j = 0; j < symbols; j++) {
                gradients[token * symbols + j] += (float) (factor * probabilities[j]);
                gradients[symbols * symbols + j] += (float) (factor * probabilities[j]);
            }
        }
        return factor * sum;
    }

    @Override
    public double loss(Batch batch) {
        double sum = 0;
        double[] probabilities = new double[symbols];
        for (int i = 0; i < batch.scoredRows().length; i++) {
            sum += crossEntropy(probabilities, batch.ids()[batch.scoredRows()[i]], batch.targets()[i]);
        }
        return sum / batch.scoredRows().length;
    }

    @Override
    public BitSet right(Batch batch) {
        double[] probabilities = new double[symbols];
        var right = new BitSet();
        for (int i = 0; i < batch.scoredRows().length; i++) {
            crossEntropy(probabilities, batch.ids()[batch.scoredRows()[i]], 0);
            double most = Arrays.stream(probabilities).max().orElseThrow();
            right.set(i, probabilities[batch.targets()[i]] == most);
        }
        return right;
    }

    private double crossEntropy(double[] probabilities, int token, int target) {
        double sum = 0;
        for (int j = 0; j < symbols; j++) {
            probabilities[j] =
                    StrictMath.exp((double) parameters[token * symbols + j] + parameters[symbols * symbols + j]);
            sum += probabilities[j];
        }
        for (int j = 0; j < symbols; j++) {
            probabilities[j] /= sum;
        }
        return -StrictMath.log(probabilities[target]);
    }
}
