package org.lemmata;

import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.lemmata.kernel.elementary.Species;

/**
 * Leaves a JVM of tests at a lane width of its own without work where the width is the one that all tests run at, or
 * one that the machine lacks, which takes minutes; {@code KernelsTest} has a case of the latter. JUnit finds it by
 * ServiceLoader where pom.xml says so.
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
