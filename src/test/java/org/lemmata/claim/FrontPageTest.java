package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.Verdicts.SCALAR;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Measurement;

/** The numbers in README.md equal the current measurements of claims, rounded to the displayed digits. */
class FrontPageTest {

    @Test
    void invalidCompletionsAreAsRareAsItSays() throws IOException {
        ComputedClaim claim = ComputedClaimTest.claim("depth.theorem-4.1.generalization");
        Measurement measured = claim.check(Budget.QUICK, SCALAR).measured().stream()
                .filter(measurement -> measurement.name().endsWith("invalid completion, N = 16"))
                .findFirst()
                .orElseThrow();
        String text = Files.readString(Path.of("README.md"));
        assertPrinted(text, "an invalid completion has a probability of at most (\\S+);", measured.value());
        double bound = Objects.requireNonNull(measured.reference()).value();
        assertPrinted(text, "theorem 4.1 allows (\\S+)\\.", bound);
    }

    private static void assertPrinted(String text, String pattern, double value) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        var printed = new BigDecimal(matcher.group(1));
        assertThat(new BigDecimal(value).round(new MathContext(printed.precision())))
                .isEqualByComparingTo(printed);
    }
}
