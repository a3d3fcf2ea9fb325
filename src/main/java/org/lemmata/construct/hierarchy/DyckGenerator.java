package org.lemmata.construct.hierarchy;

import org.lemmata.argument.Refuse;
import org.lemmata.construct.hierarchy.LayerWriter.Angle;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.GenerationProcess;

/**
 * Three-layer, one-head generator of Dyck_k with width 2m + 15 (3m + 15 if {@link Wording#RECOVERING}), m = ceil(log2
 * k), and no positions. After {@code <bos>} and a prefix of a word, softmax(logits) differs from the distribution of
 * the process by a total variation below the tolerance.
 *
 * <p>Layer 1 computes the angle of the position, layer 2 the angle of the depth d. Layer 3 finds the last bracket that
 * opened to d; its type must be closed next. {@link ClosingHead} computes the logits from depth and type. Inputs must
 * be prefixes of words.
 *
 * <p>Source: Hayakawa and Sato (2024), theorem 2 and appendix H, with three corrections: T_open is omitted, because
 * with it an open bracket would not find itself; only opening brackets are keys; and the signs of Eq. 166. Definition 7
 * requires that layers do not depend on the tolerance; {@link Wording#RECOVERING} satisfies this.
 */
public final class DyckGenerator extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "theorem 2");

    private static final int LAYERS = 3;

    /** The maximum attention to other tokens if the code is recovered (appendix O). */
    private static final double RECOVERED = 0.2;

    /**
     * The maximum error of a recovered bit of the code, in units of 2^-bits. The bit is a difference of two ramps below
     * 32. Stochastic rounding changes each of them independently, by less than 2^(5 - bits).
     */
    private static final int RECOVERED_ERROR = 64;

    /** The implemented wording of the paper. */
    public enum Wording {
        CORRECTED,
        /** With T_open as in theorem 1. */
        PRINTED_SCORES,
        /** The found code is rounded to -1, 0 or 1 again, so that the layers do not depend on the tolerance. */
        RECOVERING
    }

    private final GenerationProcess process;
    private final DyckConstants constants;
    private final double tolerance;
    private final Wording wording;
    private final int codeBits = codeBits(tokens.types());
    private final int open = codeBits;
    private final int start = codeBits + 1;
    private final int one = codeBits + 2;
    private final int position = codeBits + 3;
    private final int depth = codeBits + 7;
    private final int found = codeBits + 11;
    private final int steps;

    /**
     * @param constants the constants for the longest and deepest prefix
     * @param tolerance the bound of the total variation, within (0, 1)
     */
    public DyckGenerator(GenerationProcess process, DyckConstants constants, double tolerance) {
        this(process, constants, tolerance, Wording.CORRECTED);
    }

    public DyckGenerator(GenerationProcess process, DyckConstants constants, double tolerance, Wording wording) {
        this(process, tolerance, wording, withHeadBits(process, constants, tolerance, wording));
    }

    private DyckGenerator(GenerationProcess process, double tolerance, Wording wording, DyckConstants constants) {
        super(SOURCE, process.tokens(), constants.maxLength(), constants.maxDepth(), true);
        this.process = process;
        this.tolerance = checkedTolerance(tolerance);
        this.constants = constants;
        this.wording = wording;
        this.steps = found + codeBits * (wording == Wording.RECOVERING ? 2 : 1);
    }

    static double checkedTolerance(double tolerance) {
        Refuse.when(!(tolerance > 0 && tolerance < 1), "tolerance", "a number between 0 and 1", tolerance);
        return tolerance;
    }

    /**
     * The constants with enough bits for scores and head. Scores need one bit more than in a recognizer, because only
     * half of the gap between positions is left for rounding errors.
     */
    static DyckConstants withHeadBits(
            GenerationProcess process, DyckConstants constants, double tolerance, Wording wording) {
        int head = headBits(process, constants, tolerance, wording);
        return constants.withBits(Math.max(head, constants.exact() ? constants.bits() : constants.bits() + 1));
    }

    private static int headBits(GenerationProcess process, DyckConstants constants, double tolerance, Wording wording) {
        int codeError = wording == Wording.RECOVERING ? RECOVERED_ERROR : 1;
        return ClosingHead.neededBits(process.tokens().types(), tolerance, constants.sineOfOne(), codeError);
    }

    /** The number of bits for which logits have an error of at most a quarter of the tolerance. */
    public int headBits() {
        return headBits(process, constants, tolerance, wording);
    }

    /**
     * The number of significand bits, sufficient for scores and head, that keeps the total variation below the
     * tolerance.
     */
    public int neededBits() {
        return constants.bits();
    }

    @Override
    BracketTransformer shorter(int length) {
        return new DyckGenerator(process, constants.shorter(length), tolerance, wording);
    }

    public GenerationProcess process() {
        return process;
    }

    private MatchingScores scores() {
        // The start is a key in addition to n brackets.
        double eta = (wording == Wording.RECOVERING ? RECOVERED : ClosingHead.eta(tokens.types(), tolerance))
                * maxLength
                / (maxLength + 1.0);
        return new MatchingScores(
                constants.depthWeight(),
                constants.scoreWeight(eta),
                depth + 2,
                depth + 2,
                position + 2,
                position + 2,
                open,
                start,
                one);
    }

    @Override
    public ExactParameters build() {
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), maxLength + 1, steps + 4, LAYERS),
                Math.max(MatchingScores.ROWS, codeBits),
                ClosingHead.ROWS + (wording == Wording.RECOVERING ? ClosingHead.recoveryRows(codeBits) : 0),
                new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, false, true)));
        embed(parameters, tokens, codeBits, true);
        int bits = constants.bits();
        double a1 = constants.positionScale();
        double a2 = constants.depthScale();
        new LayerWriter(parameters, 0, bits)
                .angle(new Angle(start, a1, one, -1, position, position + 2), constants.firstMap(a1));
        new LayerWriter(parameters, 1, bits)
                .angle(new Angle(start, a2, open, 0, depth, depth + 2), constants.firstMap(a2));
        var last = new LayerWriter(parameters, 2, bits);
        scores().writeWithStart(last);
        if (wording == Wording.PRINTED_SCORES) {
            scores().writeOpen(last, open, start);
        }
        boolean recover = wording == Wording.RECOVERING;
        // The recovering rows increase the norm, which makes the normalized values up to a sixth smaller.
        double epsilon = recover ? constants.down(constants.stepWidth() * 5 / 6) : constants.stepWidth();
        var head = new ClosingHead(
                process, tolerance, epsilon, codeBits, depth + 2, recover ? found + codeBits : found, steps, one);
        last.fetch(0, found, codeBits);
        if (recover) {
            head.writeRecovering(last, found);
        } else {
            head.write(last);
        }
        head.write(parameters, bits);
        return parameters;
    }

    @Override
    public Demand demand() {
        return demand(constants, Math.max(scores().maximum(), maxLength));
    }
}
