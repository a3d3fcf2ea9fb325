package org.lemmata.report.export;

import java.util.List;
import java.util.Map;
import org.lemmata.report.DemoInput;
import org.lemmata.report.ReportInput;
import org.lemmata.track.BenchmarkRow;

/** Rows with names that contain special characters of the formats. */
final class ExportInput {

    static final String HOSTILE =
            "a|b \"c\", 'd'\ne\r\n<script>alert(1)</script> `f` *g* _h_ [i](j) ~~k~~ &amp; \\| #1 $x$ @lead ünïcødé 😀";

    private ExportInput() {}

    static BenchmarkRow row(
            String method,
            String mode,
            String unit,
            Map<String, String> params,
            List<List<Double>> samples,
            Map<String, BenchmarkRow.Metric> secondary) {
        return DemoInput.row(
                "org.lemmata.ABenchmark." + method, mode, unit, DemoInput.mean(samples), params, samples, secondary);
    }

    static ReportInput of(BenchmarkRow... rows) {
        return DemoInput.of(null, new ReportInput.Benchmarks("rows.json", List.of(rows), null));
    }
}
