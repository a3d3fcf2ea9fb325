package org.lemmata.construct.hierarchy;

import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * The block that computes a pseudo start without {@code <bos>}: if the first two tokens differ, its output is 1 at the
 * first token and 0 at all others.
 *
 * <p>Source: Hayakawa and Sato (2024), proposition 6 and appendix L.
 */
public final class PseudoStart {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "proposition 6");

    private PseudoStart() {}

    /**
     * The block for up to {@code maxLength} brackets, with eps = 1 - 1 / sqrt(1 + 4 / n²), times {@code factor}.
     *
     * @param factor 1 for the paper's block; larger factors show that eps is sharp
     */
    public static ExactParameters block(BracketTokens tokens, int maxLength, double factor) {
        int codeBits = Math.max(1, BracketTransformer.codeBits(tokens.types()));
        var base = new WithoutStart(tokens, DyckConstants.shared(maxLength, maxLength), codeBits);
        return block(base, factor * base.epsilon());
    }

    static ExactParameters block(WithoutStart base, double epsilon) {
        BracketTokens tokens = base.tokens();
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), base.constants().maxLength(), base.start() + 1, 1),
                base.codeBits() + 1,
                WithoutStart.rows(base.codeBits()),
                OutputOptions.regression(false)));
        BracketTransformer.embed(parameters, tokens, base.codeBits(), false);
        base.write(parameters, epsilon);
        parameters.set(ParameterRole.UNEMBEDDING, 0, base.start(), 1);
        return parameters;
    }
}
