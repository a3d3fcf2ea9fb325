package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;

class BoundCommandTest {

    private static JsonNode bound(String line) {
        return CommandLineRun.line(line).quiet().json();
    }

    /**
     * By hand: H = 2^(8 / 1), e = 0.1 / (2 * 20) = 1/400, C = 0 + 1 + 3 / 4, N = ceil(1.005 * 1.75 * 160,000) + 1; as
     * printed 1 * 1 * 100 / 0.01.
     */
    @Test
    void constantsByHandAreThoseOfTheFormula() throws IOException {
        JsonNode bound = bound("bound --margin 1 --bits 8 --norm 10 --tokens 3 --epsilon 0.1 --json");
        assertThat(bound.get("hardmaxLength").longValue()).isEqualTo(256);
        assertThat(bound.get("resolution").doubleValue()).isEqualTo(0.0025);
        assertThat(bound.get("slack").doubleValue()).isEqualTo(1.75);
        assertThat(bound.get("printed").longValue()).isEqualTo(10_000);
        assertThat(bound.get("corrected").longValue()).isIn(281_401L, 281_402L);
        assertThat(bound.get("f").has("readoutNorm")).isFalse();
    }

    /** In the paper, omega is any real number, and the sine is odd. */
    @Test
    void theSignOfOmegaDoesNotMatter() {
        assertThat(CommandLineRun.line("bound simple-task -p omega=-4 --epsilon 0.1")
                        .out()
                        .replace("omega=-4", "omega=4"))
                .isEqualTo(CommandLineRun.line("bound simple-task -p omega=4 --epsilon 0.1")
                        .out())
                .contains("N as printed");
    }

    /** Locality and period count: C = 5 + 2 + 3 * 2 / 4 = 8.5; as printed 5 * 2 * 100 / 0.01. */
    @Test
    void localityAndPeriodAreInBothForms() throws IOException {
        JsonNode bound =
                bound("bound --margin Infinity --bits 8 --norm 10 --tokens 3 --epsilon 0.1 --locality 5 --period 2"
                        + " --json");
        assertThat(bound.get("hardmaxLength").longValue()).isEqualTo(1);
        assertThat(bound.get("slack").doubleValue()).isEqualTo(8.5);
        assertThat(bound.get("printed").longValue()).isBetween(100_000L, 100_001L);
        assertThat(bound.get("corrected").longValue()).isBetween(2 * 1_366_800L + 7, 2 * 1_366_801L + 7);
    }

    @Test
    void theConstantsOfAConstructionFollowFromItsWeights() throws IOException {
        JsonNode bound = bound("bound simple-task -p omega=4 --epsilon 0.1 --json");
        LimitFunction f = LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(4, 65, 10, 53, 1).build());
        JsonNode ofF = bound.get("f");
        assertThat(bound.get("g")).isEqualTo(ofF);
        assertThat(ofF.get("name").asText()).isEqualTo("simple-task omega=4");
        assertThat(ofF.get("margin").doubleValue()).isEqualTo(10);
        assertThat(ofF.get("marginPrinted").doubleValue()).isEqualTo(10);
        assertThat(ofF.get("norm").doubleValue()).isEqualTo(f.norm());
        double product =
                ofF.get("firstNorm").doubleValue() * ofF.get("secondNorm").doubleValue();
        assertThat(ofF.get("normPrinted").doubleValue()).isEqualTo(product);
        assertThat(ofF.get("norm").doubleValue()).isCloseTo(1 + product, within(1e-12));
        assertThat(bound.get("printed").longValue()).isEqualTo(GeneralizationBound.printed(f, f, 0.1));
        assertThat(bound.get("corrected").longValue())
                .isEqualTo(GeneralizationBound.of(f, f, 0.1).corrected());
    }

    @Test
    void anotherFunctionHasItsOwnConstants() throws IOException {
        JsonNode bound = bound("bound simple-task -p omega=4 -p p=8 -q omega=2 --epsilon 0.1 --json");
        LimitFunction f = LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(4, 65, 8, 53, 1).build());
        LimitFunction g = LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(2, 65, 8, 53, 1).build());
        assertThat(bound.requiredAt("/g/name").asText()).isEqualTo("simple-task omega=2 p=8");
        assertThat(bound.requiredAt("/g/norm").doubleValue())
                .isEqualTo(g.norm())
                .isLessThan(f.norm());
        assertThat(bound.get("corrected").longValue())
                .isEqualTo(GeneralizationBound.of(f, g, 0.1).corrected());
        assertThat(bound.get("printed").longValue()).isEqualTo(GeneralizationBound.printed(f, g, 0.1));
        JsonNode named = bound("bound simple-task simple-task -p omega=4 -q omega=2 --epsilon 0.1 --json");
        assertThat(named.requiredAt("/f/bits").intValue()).isEqualTo(10);
        assertThat(named.requiredAt("/g/name").asText()).isEqualTo("simple-task omega=2");
    }

    @Test
    void whatIsGivenStandsInPlaceOfWhatFollows() throws IOException {
        JsonNode bound = bound("bound mod-p-task -p period=2 --margin 1 --bits 12 --epsilon 0.4 --json");
        assertThat(bound.get("hardmaxLength").longValue()).isEqualTo(4096);
        assertThat(bound.get("period").intValue()).isEqualTo(2);
        assertThat(bound.get("corrected").longValue()).isEqualTo(4097);
    }

    /**
     * At margin 4, heads of 8 and 10 bits are hardmax from 2^(8/4) and 2^(10/4) on; by default p = gamma, so from 2.
     */
    @Test
    void theGreaterHardmaxLengthCounts() throws IOException {
        String[] arguments = {
            "bound", "mod-p-task", "mod-p-task", "-p", "p=10", "-q", "p=8", "--epsilon", "2", "--json", "--margin", "4"
        };
        JsonNode bound = CommandLineRun.of(arguments).quiet().json();
        assertThat(bound.requiredAt("/f/hardmaxLength").longValue()).isEqualTo(6);
        assertThat(bound.requiredAt("/g/hardmaxLength").longValue()).isEqualTo(4);
        assertThat(bound.get("hardmaxLength").longValue()).isEqualTo(6);
        JsonNode own = CommandLineRun.of(Arrays.copyOf(arguments, 10)).quiet().json();
        assertThat(own.get("hardmaxLength").longValue()).isEqualTo(2);
        // tau = 0: as printed, the margin counts only the logit of the query's own residue.
        assertThat(own.requiredAt("/f/marginPrinted").asText()).isEqualTo("Infinity");
        assertThat(own.requiredAt("/f/hardmaxLengthPrinted").longValue()).isEqualTo(1);
        assertThat(own.requiredAt("/f/margin").doubleValue()).isEqualTo(10);
    }

    /**
     * For 2,000 random bits, the corrected errors are below 2 L e, z is shorter than N = 2 * 360 + 2 and ends like x.
     */
    @Test
    void stringsAreShortAndNear() throws IOException {
        var random = new SplittableRandom(1);
        String x = random.ints(2_000, 0, 2).mapToObj(Integer::toString).collect(Collectors.joining(" "));
        JsonNode bound = CommandLineRun.lineWithInput(
                        x + "\n0 1 1\n",
                        "bound mod-p-task -p period=2 -p p=8 -q index=0 --epsilon 0.4 --input - --json")
                .quiet()
                .json();
        assertThat(bound.get("corrected").longValue()).isEqualTo(722);
        JsonNode string = bound.get("strings").get(0);
        JsonNode corrected = string.get("corrected");
        List<String> z = Arrays.asList(corrected.get("z").asText().split(" ", -1));
        assertThat(string.get("length").intValue()).isEqualTo(2_000);
        assertThat(z).hasSize(corrected.get("length").intValue()).hasSizeLessThanOrEqualTo(722);
        assertThat(z.subList(z.size() - 2, z.size()))
                .containsExactly(x.substring(x.length() - 3).split(" ", -1));
        LimitFunction f = LimitFunction.of(new ModPTaskByPeriodicPositions(2, 1, 8, 24, 1).build());
        int[] ids = z.stream().mapToInt(Integer::parseInt).toArray();
        double ofX = f.value(
                Arrays.stream(x.split(" ", -1)).mapToInt(Integer::parseInt).toArray());
        assertThat(corrected.get("errorOfF").doubleValue()).isEqualTo(Math.abs(ofX - f.value(ids)));
        assertThat(string.get("mostOfF").doubleValue()).isCloseTo(0.2, within(1e-15));
        assertThat(corrected.get("errorOfF").doubleValue()).isBetween(0.0, 0.2);
        assertThat(corrected.get("errorOfG").doubleValue()).isBetween(0.0, 0.2);
        assertThat(string.requiredAt("/printed/length").intValue()).isBetween(1, 2_000);
        JsonNode itself = bound.get("strings").get(1).get("corrected");
        assertThat(itself.get("z").asText()).isEqualTo("0 1 1");
        assertThat(itself.get("note").asText()).isEqualTo("whole");
    }

    @Test
    void theTextNamesEveryConstantAndItsFormula() {
        CommandLineRun run = CommandLineRun.lineWithInput(
                        "0 1\n", "bound simple-task -q omega=2 --epsilon 1e9 --input -")
                .clean();
        assertThat(run.outLines().stream().map(line -> line.split("  ", -1)[0]))
                .containsSubsequence(
                        ("f: simple-task; g: simple-task omega=2; gamma as printed; gamma; p; H as printed; H; |u|; r;"
                            + " |A|; |B|; max |v|; L as printed; L; epsilon; |Sigma|; Delta; tau; H; e; C; N as"
                            + " printed; N; x of 2 tokens; z as printed; z; 2 L e, at most")
                                .split("; ", -1));
        assertThat(run.outLines()).anyMatch(line -> line.startsWith("z as printed") && line.endsWith("e is 1"));
        assertThat(run.outLines()).noneMatch(line -> line.endsWith(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        bound simple-task; Missing required option: '--epsilon=E'; see lemmata bound --help
        bound simple-task --epsilon 0; --epsilon: expected a finite number above 0, got 0.0
        bound simple-task --epsilon NaN; --epsilon: expected a finite number above 0, got NaN
        bound --epsilon 1; --margin: expected it where no construction is named, got none
        bound --margin 1 --norm 1 --bits 1 --epsilon 1; --tokens: expected it where no construction is named, got none
        bound --margin 0 --norm 1 --bits 1 --tokens 1 --epsilon 1; --margin: expected a number above 0, got 0.0
        bound --margin 1 --norm -1 --bits 1 --tokens 1 --epsilon 1; --norm: expected a finite number of at least 0, got -1.0
        bound --margin 1 --norm 1 --bits 0 --tokens 1 --epsilon 1; --bits: expected at least 1, got 0
        bound --margin 0.1 --norm 1 --bits 8 --tokens 1 --epsilon 1; margin: expected at least 0.17777777777777778 for 8 bits, got 0.1
        bound -p omega=1 --epsilon 1; F: expected a construction for -p, got none
        bound --epsilon 1 --input -; F: expected a construction for --input, got none
        bound simple --epsilon 1; construction: expected one of dyck-completion,
        bound simple-task -p knots=1 --epsilon 1; knots: expected an integer from 2
        bound dyck-completion -p word=() --epsilon 1; construction: expected a limit transformer of one layer, such as simple-task or mod-p-task, got dyck-completion; output: expected REGRESSION, got
        bound simple-task mod-p-task --epsilon 1; g: expected f's 3 tokens and period 1, got 2 and 5
        bound simple-task --epsilon 1e-9; epsilon: expected one with a bound below 2^53, got a bound of
        bound --margin 1 --norm 10 --bits 8 --tokens 3 --period 2000000000 --epsilon 0.1; epsilon: expected one with a bound below 2^53, got a bound of
        bound simple-task --margin 1 --epsilon 1 --input -; --input: expected the constants of the constructions for their strings, got others by hand
        bound simple-task -p p=3 --epsilon 1 --input -; input: line 1: x: expected at least the hardmax length of 2 tokens, got 1
        bound mod-p-task --epsilon 1 --input -; input: line 1: x: expected at least the hardmax length of 2
        bound simple-task --epsilon 1 --input /; --input: expected a file, got the directory /
        """)
    void whatIsNotLegalIsRefusedInALine(String arguments, String message) {
        CommandLineRun run = CommandLineRun.withInput("0\n", arguments.split(" ", -1));
        assertThat(run.out()).isEmpty();
        assertThat(run.refusal()).startsWith("lemmata: " + message);
    }
}
