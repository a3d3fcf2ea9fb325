package org.lemmata.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.Json;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ComparisonRow.Verdict;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.PortableComparison;
import org.lemmata.track.RunRecord;

class PortableTextTest {

    private static final BenchmarkRow VECTOR = new BenchmarkRow(
            "org.lemmata.A",
            "vector",
            "thrpt",
            new LinkedHashMap<>(),
            BenchmarkRow.Settings.UNKNOWN,
            new BenchmarkRow.Score(1, Double.NaN, "ops/s"),
            3,
            List.of(),
            new LinkedHashMap<>());

    @Test
    void aRegressionComesBeforeAMissingVerdict() {
        assertThat(PortableText.exitCode(comparison("", Verdict.SAME, Verdict.FASTER)))
                .isZero();
        assertThat(PortableText.exitCode(comparison("", Verdict.SAME, Verdict.INCONCLUSIVE)))
                .isEqualTo(3);
        assertThat(PortableText.exitCode(comparison("", Verdict.NOT_COMPARED, Verdict.SAME)))
                .isEqualTo(3);
        assertThat(PortableText.exitCode(comparison("", Verdict.INCONCLUSIVE, Verdict.SLOWER)))
                .isEqualTo(1);
        assertThat(PortableText.exitCode(comparison("no baseline"))).isEqualTo(3);
    }

    @Test
    void saysWhatWasFoundAndWhatARegressionIs() {
        var out = new StringWriter();
        PortableText.print(new PrintWriter(out, true), comparison("", Verdict.SLOWER, Verdict.INCONCLUSIVE));
        assertThat(out.toString().lines())
                .containsExactly(
                        "ratios within one run beside those of simd-512.json, on the same processor: a regression lies"
                                + " below 0.870 of it, whole intervals at 97.50% each, 95% together; rows share a"
                                + " variance, worth up to 2.5 degrees of freedom in each",
                        "verdict         change          interval  baseline       now  ratio",
                        "slower           0.400    0.380 to 0.420      8.00      3.20  A.vector (thrpt) over scalar",
                        "inconclusive     0.400    0.380 to 0.420      8.00      3.20  A.vector (thrpt) over scalar [a"
                                + " verdict would take 12 forks, of the baseline too]");
    }

    @Test
    void jsonHasTheSame() {
        assertThat(Json.line(PortableText.json(comparison("", Verdict.SLOWER))))
                .isEqualTo("{\"baseline\":\"simd-512.json\",\"refused\":\"\",\"differences\":[],"
                        + "\"margin\":0.15,\"level\":0.975,\"sharedFreedom\":2.5,\"exitCode\":1,"
                        + "\"rows\":[{\"name\":\"org.lemmata.A.vector (thrpt) over scalar\","
                        + "\"verdict\":\"slower\",\"reason\":\"\","
                        + "\"ratio\":0.4,\"interval\":[0.38,0.42],\"baseline\":8.0,\"current\":3.2}]}");
    }

    @Test
    void withoutABaselineThereIsNoVerdict(@TempDir Path directory) throws Exception {
        Path results = directory.resolve("latest.json");
        var machine = new MachineIdentity("A", 2, 0, "Linux", "25", List.of(), "SIMD, 512-bit species", "unknown");
        new RunRecord("c0ffee", Instant.EPOCH, List.of(), machine, null).write(RunRecord.beside(results));
        Path json = directory.resolve("made/portable.json");
        var out = new StringWriter();
        assertThat(PortableText.compare(new PrintWriter(out, true), results, directory, json))
                .isEqualTo(3);
        assertThat(out.toString()).startsWith("not compared: portable baseline: expected " + directory);
        assertThat(new ObjectMapper()
                        .readTree(Files.readString(json))
                        .at("/exitCode")
                        .intValue())
                .isEqualTo(3);
    }

    private static PortableComparison comparison(String refused, Verdict... verdicts) {
        var rows = new ArrayList<PortableComparison.Row>();
        for (Verdict verdict : verdicts) {
            rows.add(new PortableComparison.Row(
                    VECTOR,
                    "scalar",
                    verdict,
                    0.4,
                    new Interval(0.38, 0.42),
                    3.2,
                    8,
                    verdict == Verdict.INCONCLUSIVE ? OptionalInt.of(12) : OptionalInt.empty(),
                    ""));
        }
        return new PortableComparison("simd-512.json", refused, List.of(), true, 0.15, 0.975, 2.5, rows);
    }
}
