package org.lemmata.claim.length;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Verdict;

/** The claims of Izzo, Nichani and Lee (2025) about constructions and formulas, in display order. */
public final class LengthClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.<List<? extends Claim>>of(
                        List.of(TaskValues.SIMPLE_TASK, TaskValues.NORMS, TaskValues.MOD_P_TASK),
                        RETIRED,
                        List.of(
                                Identifiability.CLAIM,
                                Hardmax.CLAIM,
                                MarginCases.CORRECTED,
                                MarginCases.PRINTED,
                                Theorem41String.CLAIM,
                                Theorem41String.PRINTED,
                                Theorem41Bound.CLAIM,
                                Theorem41Bound.PRINTED))
                .<Claim>flatMap(List::stream)
                .toList();
    }

    /**
     * Withdrawn claims: sentences of Izzo, Nichani and Lee (2025) that fail only if they are read too literally, or
     * because the conversion of the paper lost a sign.
     */
    static final List<ComputedClaim> RETIRED = List.of(
            retired(
                    "simple-task.printed",
                    "section 5, SimpleTask",
                    "The limit transformer of appendix A.2 computes f*(x) = sin(omega c0 c1 / (c0 + c1)), where c_s"
                            + " counts the tokens s.",
                    NotTested.TEXT.because("a minus sign between c0 and c1 was probably lost when the paper was"
                            + " converted; length.simple-task has it")),
            retired(
                    "simple-task.norms.printed",
                    "section 5, figure 1 and appendix A.2",
                    "The network of SimpleTask approximates sin(omega z) with weight norms Theta(omega), so that L, the"
                            + " product of its weight norms in theorem 4.1, is Theta(omega).",
                    NotTested.HYPOTHESIS.because("the sentence names no activation, and one unit with psi = sin has L ="
                            + " omega; for relu, which is our choice, L is Theta(omega²) (length.simple-task.norms)")),
            retired(
                    "simple-task.scores.printed",
                    "appendix A.2",
                    "With attention scores that are infinite at the tokens 0 and 1, and 0 at the token 2, the limit"
                            + " transformer for SimpleTask outputs the task's value.",
                    NotTested.HYPOTHESIS.because("the sketch writes infinity for a limit, which its next sentence"
                            + " states; length.simple-task has finite scores")),
            retired(
                    "mod-p-task.printed",
                    "appendix A.2",
                    "With attention scores that are infinite at the positions t = k (mod Delta) and 0 elsewhere, the"
                            + " limit transformer of length.mod-p-task outputs the average of the tokens at these"
                            + " positions.",
                    NotTested.HYPOTHESIS.because("the sketch writes infinity for a limit, which its next sentence"
                            + " states; length.mod-p-task has finite scores")),
            retired(
                    "thresholding.printed",
                    "section 3.2, the instantiation of finite precision",
                    "A limit transformer with p bits rounds all quantities of absolute value at most 2^-p to 0 during"
                            + " each intermediate computation, including the normalized weights of the softmax.",
                    NotTested.HYPOTHESIS.because(
                            "the same paragraph then says that terms of the softmax are rounded after"
                                    + " exponentiation; length.hardmax and length.logit-margin test that")));

    private static ComputedClaim retired(String id, String place, String text, Verdict verdict) {
        return ComputedClaim.printed("length." + id, place, text).untested(verdict);
    }
}
