package org.lemmata.construct.hierarchy;

import org.lemmata.construct.hierarchy.LayerWriter.Angle;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.GenerationProcess;

/**
 * Four-layer, one-head generator of Dyck_k without {@code <bos>}. For prefixes whose first two tokens differ,
 * softmax(logits) differs from the distribution of the process by a total variation below the tolerance.
 *
 * <p>Layers 1 and 2 compute the pseudo start and the angle of i - 1 ({@link WithoutStart}), layer 3 computes the angle
 * of the depth, and layer 4 is the last layer of {@link DyckGenerator}. Each key is computed from its own token,
 * because an open bracket must find itself. The paper's keys are computed from the previous token, so an open bracket
 * cannot find itself.
 *
 * <p>Source: Hayakawa and Sato (2024), corollary 2 and appendix N, corrected.
 */
public final class DyckGeneratorWithoutStart extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "corollary 2");

    private static final int LAYERS = 4;
    private static final int PRINTED_LAYERS = 7;

    private final GenerationProcess process;
    private final DyckConstants constants;
    private final double tolerance;
    private final WithoutStart base;
    private final int codeBits;
    private final int depth;
    private final int found;
    private final boolean printed;

    /**
     * @param constants the constants for the longest and deepest prefix
     * @param tolerance the bound of the total variation, within (0, 1)
     */
    public DyckGeneratorWithoutStart(GenerationProcess process, DyckConstants constants, double tolerance) {
        this(process, constants, tolerance, false);
    }

    private DyckGeneratorWithoutStart(
            GenerationProcess process, DyckConstants constants, double tolerance, boolean printed) {
        super(SOURCE, process.tokens(), constants.maxLength(), constants.maxDepth(), false);
        this.process = process;
        this.tolerance = DyckGenerator.checkedTolerance(tolerance);
        this.constants = WithoutStart.withBits(
                DyckGenerator.withHeadBits(process, constants, tolerance, DyckGenerator.Wording.CORRECTED));
        this.codeBits = codeBits(tokens.types());
        this.base = new WithoutStart(tokens, this.constants, codeBits);
        this.printed = printed;
        // The printed generator first has the angle of i, the previous token with its start, and that token's depth.
        this.depth = base.free() + 2 + (printed ? 2 * codeBits + 11 : 0);
        this.found = depth + 2;
    }

    /** The seven layers of appendix N. Their keys and values are computed from the previous token. */
    public static DyckGeneratorWithoutStart printed(
            GenerationProcess process, DyckConstants constants, double tolerance) {
        return new DyckGeneratorWithoutStart(process, constants, tolerance, true);
    }

    @Override
    BracketTransformer shorter(int length) {
        return new DyckGeneratorWithoutStart(process, constants.shorter(length), tolerance, printed);
    }

    private MatchingScores scores() {
        double eta = ClosingHead.eta(tokens.types(), tolerance) * maxLength / (maxLength + 1.0);
        int position = base.previousPosition();
        return new MatchingScores(
                constants.depthWeight(),
                constants.scoreWeight(eta),
                depth,
                printed ? previousDepth() : depth,
                printed ? position() : position,
                position,
                printed ? previousType() + codeBits : base.open(),
                printed ? previousStart() : base.start(),
                base.one());
    }

    private int position() {
        return base.free() + 2;
    }

    private int previousType() {
        return position() + 2 + codeBits + 1;
    }

    private int previousStart() {
        return previousType() + codeBits + 1;
    }

    private int previousDepth() {
        return previousStart() + 3;
    }

    @Override
    public ExactParameters build() {
        int steps = found + codeBits;
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), maxLength, steps + 4, printed ? PRINTED_LAYERS : LAYERS),
                Math.max(MatchingScores.ROWS, codeBits + 1),
                Math.max(Math.max(WithoutStart.rows(codeBits), 2 * codeBits + 3), ClosingHead.ROWS),
                new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, false, true)));
        embed(parameters, tokens, codeBits, false);
        base.write(parameters);
        double a2 = constants.depthScale();
        int layer = 2;
        if (printed) {
            double a1 = constants.positionScale();
            var angle = new Angle(base.start(), a1, base.one(), 0, position() - 2, position());
            base.layer(parameters, layer++).angle(angle, constants.firstMap(a1));
            base.fetchToken(base.layer(parameters, layer++), position(), position() + 2);
            int open = previousType() + codeBits;
            var before = new Angle(previousStart(), a2, open, 0, previousDepth() - 2, previousDepth());
            base.layer(parameters, layer++).angle(before, constants.firstMap(a2));
        }
        base.layer(parameters, layer++)
                .angle(new Angle(base.start(), a2, base.open(), 0, depth - 2, depth), constants.firstMap(a2));
        LayerWriter last = base.layer(parameters, layer);
        if (printed) {
            scores().writeWithStart(last);
        } else {
            scores().write(last);
        }
        ClosingHead head =
                new ClosingHead(process, tolerance, constants.stepWidth(), codeBits, depth, found, steps, base.one());
        head.write(last.fetch(printed ? previousType() : 0, found, codeBits));
        head.write(parameters, constants.bits());
        return parameters;
    }

    @Override
    public Demand demand() {
        double maximum = Math.max(scores().maximum(), 1 / base.epsilon());
        return demand(constants, Math.max(maximum, maxLength));
    }
}
