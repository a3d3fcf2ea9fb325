package org.lemmata;

import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.lemmata.kernel.elementary.Species;

/**
 * Skips all tests of a JVM with a set lane width if other JVMs already test this width, or if the machine lacks it:
 * emulated lanes take minutes, and {@code KernelsTest} has a test of them. JUnit finds this class by ServiceLoader if
 * pom.xml enables it.
 */
public final class NarrowerLanes implements ExecutionCondition {

    private static final boolean WANTED = Boolean.getBoolean("lemmata.tests.narrower");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return WANTED ? narrower(Species.FLOAT.vectorBitSize(), FloatVector.SPECIES_PREFERRED.vectorBitSize()) : ANY;
    }

    private static final ConditionEvaluationResult ANY = ConditionEvaluationResult.enabled("any width");

    static ConditionEvaluationResult narrower(int bits, int preferred) {
        return bits < preferred
                ? ConditionEvaluationResult.enabled(bits + " bits")
                : ConditionEvaluationResult.disabled(
                        "expected lanes narrower than the " + preferred + " bits of this machine, got " + bits);
    }
}
