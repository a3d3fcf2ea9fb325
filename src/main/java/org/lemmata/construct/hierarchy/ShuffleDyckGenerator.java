package org.lemmata.construct.hierarchy;

import static org.lemmata.construct.hierarchy.LayerWriter.unembedding;
import static org.lemmata.construct.hierarchy.LayerWriter.unembeddingBias;

import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.GenerationProcess;

/**
 * One-layer, one-head generator of Shuffle-Dyck_k with uniform attention, width 3k + 1 and no positions. After
 * {@code <bos>} and a prefix of a word, softmax(logits) differs from the distribution of the process by a total
 * variation below the tolerance.
 *
 * <p>Types are one-hot vectors with the sign 1 for opening and -1 for closing brackets, so the sums over the tokens are
 * the depths d_t. The steps m_t = [1 - y_t]_+ - [-y_t]_+ of y_t = mean_t / (eps norm) are 1 if d_t &lt;= 0, otherwise
 * 0. Let C = ln(((1 - q) / q + 1 + (1 - r) / r) / tolerance). The logits are ln pi_t for "(t", ln((1 - q) / q pibar_t)
 * - C m_t for ")t", -C for the start and ln((1 - r) / r) - C (k - sum of m_t) for the end. The last two of the paper's
 * three layers have no effect and are omitted.
 *
 * <p>Source: Hayakawa and Sato (2024), proposition 4 and appendix J, with two corrections: a column of ones, because
 * otherwise the norm of the start divides 0 by 0, and the logarithm of the whole product in Eq. 212.
 */
public final class ShuffleDyckGenerator extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "proposition 4");

    private final GenerationProcess process;
    private final double tolerance;
    private final boolean few;
    private final boolean printed;

    /** @param tolerance the bound of the total variation, within (0, 1) */
    public ShuffleDyckGenerator(GenerationProcess process, int maxLength, double tolerance) {
        this(process, maxLength, tolerance, true, false);
    }

    private ShuffleDyckGenerator(
            GenerationProcess process, int maxLength, double tolerance, boolean few, boolean printed) {
        super(SOURCE, process.tokens(), maxLength, maxLength, true);
        this.process = process;
        this.tolerance = DyckGenerator.checkedTolerance(tolerance);
        this.few = few;
        this.printed = printed;
    }

    /** The generator with unrounded constants. */
    public static ShuffleDyckGenerator exact(GenerationProcess process, int maxLength, double tolerance) {
        return new ShuffleDyckGenerator(process, maxLength, tolerance, false, false);
    }

    /** The printed generator, without the column of ones. */
    public static ShuffleDyckGenerator printed(GenerationProcess process, int maxLength, double tolerance) {
        return new ShuffleDyckGenerator(process, maxLength, tolerance, false, true);
    }

    @Override
    BracketTransformer shorter(int length) {
        return new ShuffleDyckGenerator(process, length, tolerance, few, printed);
    }

    private double silence() {
        double others = (1 - process.q()) / process.q() + 1 + (1 - process.r()) / process.r();
        return Math.log(others / tolerance);
    }

    /** eps &lt;= 1 / (sqrt3 (n + 1)), so that one open bracket of a type changes y_t by at least 1. */
    private double epsilon() {
        double epsilon = 1 / (Math.sqrt(3) * (maxLength + 1));
        return few ? LayerWriter.toBits(epsilon, 4, Math::floor) : epsilon;
    }

    /**
     * The number of bits for which logits of k + 1 terms up to C have an error of at most a quarter of the tolerance.
     */
    private int bits() {
        double largest = 16 * (silence() + 1) * (tokens.types() + 1) / tolerance;
        int bits = (int) Math.ceil(Math.log(largest) / Math.log(2));
        return few ? bits : Math.max(bits, DyckConstants.EXACT_BITS);
    }

    @Override
    public ExactParameters build() {
        int k = tokens.types();
        int one = 3 * k;
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), maxLength + 1, 3 * k + 1, 1),
                k,
                2 * k + 1,
                new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, false, true)));
        for (int token = 0; token < tokens.count(); token++) {
            parameters.set(ParameterRole.TOKEN_EMBEDDING, token, one, printed ? 0 : 1);
            if (token < tokens.brackets()) {
                parameters.set(ParameterRole.TOKEN_EMBEDDING, token, tokens.type(token), tokens.rise(token));
            }
        }
        var layer = new LayerWriter(parameters, 0, bits()).fetch(0, k, k);
        for (int type = 0; type < k; type++) {
            layer.first(type, k + type, -1).second(2 * k + type, type, -1);
            layer.first(k + type, k + type, -1)
                    .second(2 * k + type, k + type, 1)
                    .shift(k + type, 1);
        }
        layer.first(2 * k, one, 1).gain(1 / (epsilon() * Math.sqrt(2)));
        head(parameters);
        return parameters;
    }

    private void head(ExactParameters parameters) {
        int k = tokens.types();
        double c = silence();
        int bits = bits();
        for (int type = 0; type < k; type++) {
            unembeddingBias(
                    parameters, tokens.open(type), Math.log(process.opening().get(type)), bits);
            double odds = (1 - process.q()) / process.q() * process.closing().get(type);
            unembeddingBias(parameters, tokens.close(type), Math.log(odds), bits);
            unembedding(parameters, tokens.close(type), 2 * k + type, -c, bits);
            unembedding(parameters, tokens.end(), 2 * k + type, c, bits);
        }
        unembeddingBias(parameters, tokens.start(), -c, bits);
        unembeddingBias(parameters, tokens.end(), Math.log((1 - process.r()) / process.r()) - k * c, bits);
    }

    @Override
    public Demand demand() {
        double maximum = Math.max(2 / epsilon(), (tokens.types() + 1) * silence());
        return demand(bits(), Math.max(maximum, maxLength));
    }
}
