package org.lemmata.construct.length;

import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.PositionOptions;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * Limit transformer for ModPTask, exact except for one rounded quotient. It computes T(x), the average of the tokens of
 * x at positions t = k mod Delta (counted from 1), if x has at least Delta tokens.
 *
 * <p>It has one layer without feed-forward part, and Delta-periodic orthogonal positions. Its Delta + 3 columns are the
 * tokens 0 and 1, the residues, and the output. Scores are p at keys of residue k and 0 elsewhere. With n &gt;= 2
 * tokens, another key would have n^-p &lt;= 2^-p times the weight of a key of residue k, so its weight is rounded to 0.
 * A token 1 has the value 1. If x is shorter than Delta and has no position of residue k, all tokens are averaged.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), appendix A.2, where scores are infinite; here, finite scores suffice.
 */
public final class ModPTaskByPeriodicPositions extends LimitTransformer {

    public static final Source SOURCE = new Source(Paper.LENGTH, "appendix A.2, ModPTask");

    public static final Vocabulary VOCABULARY = new Vocabulary(List.of("0", "1"));

    private final int period;
    private final int index;

    /**
     * @param period Delta, at least 1; the paper's p in the definition of the task
     * @param index k, from 0 to {@code period} - 1
     * @param p the bits of the attention, 1 to 126; also the score of the positions k mod Delta
     * @param bits the significand bits of the average, 2 to 53; {@link #demand} requires them
     * @param maxLength the maximum number of tokens, at least 1
     */
    public ModPTaskByPeriodicPositions(int period, int index, int p, int bits, int maxLength) {
        super(SOURCE, VOCABULARY, p, bits, maxLength);
        Refuse.below("period", period, 1);
        Refuse.outside("index", index, 0, period - 1);
        this.period = period;
        this.index = index;
    }

    @Override
    ModPTaskByPeriodicPositions withBits(int other) {
        return new ModPTaskByPeriodicPositions(period, index, p, other, maxLength);
    }

    @Override
    public ExactParameters build() {
        int tokens = VOCABULARY.size();
        int result = tokens + period;
        Architecture architecture =
                architecture(tokens, maxLength, result + 1, PositionOptions.periodic(period), 1, p, null);
        var parameters = new ExactParameters(architecture);
        for (int token = 0; token < tokens; token++) {
            parameters.set(ParameterRole.TOKEN_EMBEDDING, token, token, 1);
            parameters.set(ParameterRole.QUERY, 0, token, 0, 1);
        }
        for (int row = 0; row < period; row++) {
            parameters.set(ParameterRole.POSITION_EMBEDDING, row, tokens + (row + 1) % period, 1);
        }
        parameters.set(ParameterRole.KEY, 0, tokens + index, 0, p);
        parameters.set(ParameterRole.VALUE, 0, 1, 0, 1);
        parameters.set(ParameterRole.OUTPUT, 0, 0, result, 1);
        parameters.set(ParameterRole.UNEMBEDDING, 0, result, 1);
        return parameters;
    }

    /**
     * Requires {@code bits} and the bits of p for tensors, sums that count up to the length, and the magnitudes of an
     * average.
     */
    @Override
    public Demand demand() {
        return demand(1.0 / maxLength, Math.max(p, maxLength));
    }
}
