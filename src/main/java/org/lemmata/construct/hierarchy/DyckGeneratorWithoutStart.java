package org.lemmata.construct.hierarchy;

import org.lemmata.construct.hierarchy.LayerWriter.Angle;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.GenerationProcess;

/**
 * softmax(logits) after a prefix of a word of Dyck_k whose first two tokens differ is what the process gives, but for a
 * total variation below the tolerance: four layers of one head, without {@code <bos>}.
 *
 * <p>Layers 1 and 2 make the pseudo start and the angle of i - 1 ({@link WithoutStart}), layer 3 that of the depth,
 * layer 4 is that of {@link DyckGenerator}. Keys are the tokens themselves: an open bracket has to find itself, which
 * the paper's keys of the tokens before do not allow.
 *
 * <p>Source: Hayakawa and Sato (2024), corollary 2 and appendix N, corrected.
 */
public final class DyckGeneratorWithoutStart extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "corollary 2");

    private static final int LAYERS = 4;

    private final GenerationProcess process;
    private final DyckConstants constants;
    private final double tolerance;
    private final WithoutStart base;
    private final int codeBits;
    private final int depth;
    private final int found;

    /**
     * @param constants for the longest and deepest prefix
     * @param tolerance of the total variation, within (0, 1)
     */
    public DyckGeneratorWithoutStart(GenerationProcess process, DyckConstants constants, double tolerance) {
        super(SOURCE, process.tokens());
        this.process = process;
        this.tolerance = DyckGenerator.checkedTolerance(tolerance);
        this.constants = WithoutStart.withBits(DyckGenerator.withHeadBits(process, constants, tolerance));
        this.codeBits = codeBits(tokens.types());
        this.base = new WithoutStart(tokens, this.constants, codeBits);
        this.depth = base.free() + 2;
        this.found = depth + 2;
    }

    @Override
    public int maxLength() {
        return constants.maxLength();
    }

    @Override
    public int maxInputDepth() {
        return constants.maxDepth();
    }

    @Override
    public boolean hasStart() {
        return false;
    }

    private MatchingScores scores() {
        double eta = ClosingHead.eta(tokens.types(), tolerance) * maxLength() / (maxLength() + 1.0);
        int position = base.previousPosition();
        return new MatchingScores(
                constants.depthWeight(),
                constants.scoreWeight(eta),
                depth,
                depth,
                position,
                position,
                base.open(),
                base.start(),
                base.one());
    }

    @Override
    public ExactParameters build() {
        int steps = found + codeBits;
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), maxLength(), steps + 4, LAYERS),
                Math.max(MatchingScores.ROWS, codeBits + 1),
                Math.max(WithoutStart.rows(codeBits), ClosingHead.ROWS),
                new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, false, true)));
        embed(parameters, tokens, codeBits, false);
        base.write(parameters);
        double a2 = constants.depthScale();
        base.layer(parameters, 2)
                .angle(new Angle(base.start(), a2, base.open(), 0, depth - 2, depth), constants.firstMap(a2));
        LayerWriter last = scores().write(base.layer(parameters, 3));
        ClosingHead head =
                new ClosingHead(process, tolerance, constants.stepWidth(), codeBits, depth, found, steps, base.one());
        head.write(last.fetch(0, found, codeBits));
        head.write(parameters, constants.bits(), false);
        return parameters;
    }

    @Override
    public Demand demand() {
        double maximum = Math.max(scores().maximum(), 1 / base.epsilon());
        return demand(constants.bits(), Math.max(maximum, maxLength()));
    }
}
