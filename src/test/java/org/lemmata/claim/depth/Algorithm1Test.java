package org.lemmata.claim.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.Verdicts.assertOutcome;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.task.depth.logic.BooleanLanguage;

class Algorithm1Test {

    private static final BooleanLanguage LANGUAGE = new BooleanLanguage(4);

    /** Algorithm 1 as printed, which evaluates both choices; {@code deeper} of 100 choices are q - 1. */
    private static void clause(int q, int deeper, RandomGenerator random, List<Integer> ids) {
        if (q <= 0) {
            ids.add(LANGUAGE.variable(random.nextInt(4)));
            return;
        }
        ids.add(LANGUAGE.open());
        side(q, deeper, random, ids);
        ids.add(random.nextBoolean() ? LANGUAGE.and() : LANGUAGE.or());
        side(q, deeper, random, ids);
        ids.add(LANGUAGE.close());
    }

    private static void side(int q, int deeper, RandomGenerator random, List<Integer> ids) {
        List<Integer> one = new ArrayList<>();
        List<Integer> two = new ArrayList<>();
        clause(q - 1, deeper, random, one);
        clause(q - 2, deeper, random, two);
        ids.addAll(random.nextInt(100) < deeper ? one : two);
    }

    private static Finding check(int deeper, int more) {
        return Algorithm1.check(List.of(1, 2, 3, 4, 5, 6), 20_000, q -> random -> {
            List<Integer> ids = new ArrayList<>();
            clause(q + more, deeper, random, ids);
            return ids.stream().mapToInt(Integer::intValue).toArray();
        });
    }

    /** Our generator draws only the chosen branch; the distribution is the same. */
    @Test
    void theAlgorithmAsPrintedFollowsTheLaw() {
        Finding finding = check(50, 0);
        assertSupported(finding);
        assertThat(finding.measured()).hasSize(18);
        assertThat(finding.seeds()).hasSize(6);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"56,0", "50,-1", "45,0", "100,0", "50,1"})
    void otherAlgorithmsAreRefuted(int deeper, int more) {
        assertOutcome(check(deeper, more), Outcome.REFUTED);
    }
}
