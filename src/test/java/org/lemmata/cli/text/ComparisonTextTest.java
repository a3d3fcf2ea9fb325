package org.lemmata.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.Rows;

class ComparisonTextTest {

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 3"})
    void aSlowerRowFailsUnlessTheJvmsDiffer(boolean otherJvms, int code) {
        ComparisonRow row = Rows.compared("X.a", Change.SLOWER, 0.5, new Interval(0.4, 0.6), 1.1);
        var method = new Comparison.Method(Center.MEDIAN, 0.05, 1, 0.95, 1, false, 0, false, otherJvms, 0);
        var comparison = new Comparison("before", "now", method, List.of(), "", List.of(row));
        assertThat(ComparisonText.exitCode(comparison, Set.of())).isEqualTo(code);
        assertThat(ComparisonText.exitCode(comparison, Set.of(Change.SLOWER))).isEqualTo(code);
    }
}
