package org.lemmata.construct.depth;

import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterRole;
import org.lemmata.number.FloatFormat;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * Completer of words of D_2N without positions. After r tokens of z, the logits are X [1 - 1/(2N + 1), -1] with X = (v
 * / r) sum_{i &lt;= r} E_{z_i} and E = [1 - 1/(2N + 1), -1].
 *
 * <p>One head of width 1 with uniform attention and no positions. If the stack is empty, the sum is at most -1/(2N +
 * 1), with equality at r = 2; otherwise it is above 1/(2N + 1). With v &lt; 0 the model therefore opens a bracket on an
 * empty stack and closes one otherwise: it closes all brackets of the prefix and then repeats "()". It has three
 * weights.
 *
 * <p>Source: Richard (2024), claim 5.3; its proof requires v &lt; -2N^2 (2N + 1).
 */
public final class DyckCompleterWithoutPositions extends Construction {

    public static final Source SOURCE = new Source(Paper.DEPTH, "claim 5.3");

    private final int pairs;
    private final double v;

    /**
     * @param vocabulary two tokens, '(' with id 0 and ')' with id 1
     * @param pairs N, at least 1
     * @param v below 0
     */
    public DyckCompleterWithoutPositions(Vocabulary vocabulary, int pairs, double v) {
        super(SOURCE, DyckCompleterByPositionSums.brackets(vocabulary));
        Refuse.below("N", pairs, 1);
        Refuse.when(!Double.isFinite(v) || v >= 0, "v", "a number below 0", v);
        this.pairs = pairs;
        this.v = v;
    }

    /** The construction with v = -(2N^2 (2N + 1) + 1), the first integer that the paper's proof covers. */
    public DyckCompleterWithoutPositions(Vocabulary vocabulary, int pairs) {
        this(vocabulary, pairs, -(2.0 * pairs * pairs * (2.0 * pairs + 1) + 1));
    }

    @Override
    public ExactParameters build() {
        var parameters = new ExactParameters(Architecture.uniformHead(2, 2 * pairs, 1, false));
        parameters.set(ParameterRole.TOKEN_EMBEDDING, 0, 0, 1 - 1 / (2.0 * pairs + 1));
        parameters.set(ParameterRole.TOKEN_EMBEDDING, 1, 0, -1);
        parameters.set(ParameterRole.VALUE, 0, 0, 0, v);
        return parameters;
    }

    /** Requires binary64, because 1 - 1/(2N + 1) is not a binary fraction. */
    @Override
    public Demand demand() {
        int bits = FloatFormat.BINARY64.significandBits();
        // |X| is at least |v| / (2N (2N + 1)), and E is at least 2/3; a sum of r values v E is at most 2N |v|.
        double minimum = Math.min(0.5, Math.abs(v) / (2.0 * pairs * (2.0 * pairs + 1)));
        return new Demand(
                bits,
                bits,
                Math.min(minimum, 0.5 * Math.abs(v)),
                Math.max(1, 2 * Math.abs(v) * pairs),
                "the embedding, 1 - 1/" + (2 * pairs + 1));
    }
}
