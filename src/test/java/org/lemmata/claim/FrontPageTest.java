package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Measurement;

/** What README.md says was found, with the figures that claims measure now, to the digits that it gives. */
class FrontPageTest {

    private static final Map<String, Finding> FINDINGS = new ConcurrentHashMap<>();

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        invalid completion has a probability of at most 1.4e-7; value; depth.theorem-4.1.generalization; maximum probability of an invalid completion, N = 16
        allows 3.6e-6; reference; depth.theorem-4.1.generalization; maximum probability of an invalid completion, N = 16
        majority answer (0.27; value; depth.figure-1.best; trained on q = 3, tested on q = 3, in sample
        and 0.28; value; depth.figure-1.best; always the majority answer, q = 3, in sample
        to the token in 1,800; n; length.hardmax; rows of at least N positions that differ from hardmax
        grows as Delta^0.99; value; length.figure-2.right.linear; c of N = a Delta^c
        keeps the error in 30; n; symbol.lemma-d.1; maximum exponent of the error over n
        of 32 than of 512 (test loss 0.19; value; symbol.figure-13.batch; test loss, batch = 32, n = 512
        (test loss 0.19, 0.70; value; symbol.figure-13.batch; test loss, batch = 512, n = 512
        from 128 samples (test loss 0.032; value; symbol.figure-19.identities.own-rate; learned: test loss, transformer with a I at their own rate
        SimpleTask trained to 16 tokens have 99%; percent; length.comparison.simple-task; 1 layer, longer N, N = 16, T = 1024
        """)
    void whatWasFoundIsWhatClaimsMeasure(String text, String part, String id, String measure) throws IOException {
        assertThat(found()).containsPattern(Pattern.quote(text) + "(?![0-9])");
        Finding finding = finding(id);
        double value = switch (part) {
            case "value" -> measurement(finding, measure).value();
            case "percent" -> 100 * measurement(finding, measure).value();
            case "n" -> measurement(finding, measure).n();
            default ->
                Objects.requireNonNull(measurement(finding, measure).reference())
                        .value();
        };
        var printed =
                new BigDecimal(text.replaceAll(".*?([0-9][0-9.,e-]*)%?$", "$1").replace(",", ""));
        assertThat(new BigDecimal(value).round(new MathContext(printed.precision())))
                .isEqualByComparingTo(printed);
    }

    /** The section, its lines joined. */
    private static String found() throws IOException {
        String text = Files.readString(Path.of("README.md"));
        int begin = text.indexOf("## What was found");
        return text.substring(begin, text.indexOf("\n## ", begin)).replaceAll("\\s+", " ");
    }

    private static Measurement measurement(Finding finding, String name) {
        List<Measurement> named = finding.measured().stream()
                .filter(measurement -> name.endsWith("...")
                        ? measurement.name().startsWith(name.substring(0, name.length() - 3))
                        : measurement.name().equals(name))
                .distinct()
                .toList();
        assertThat(named).as(name).hasSize(1);
        return named.getFirst();
    }

    private static Finding finding(String id) {
        return FINDINGS.computeIfAbsent(id, FrontPageTest::check);
    }

    private static Finding check(String id) {
        Computation computation = Computation.unrounded(Kernels.scalar());
        return switch (Claims.select(List.of(id)).getFirst()) {
            case ComputedClaim claim -> claim.check(Budget.QUICK, computation);
            case FigureClaim claim -> claim.judge(RecordedFigures.cells(claim.grid()), computation);
            default -> throw new IllegalArgumentException(id);
        };
    }
}
