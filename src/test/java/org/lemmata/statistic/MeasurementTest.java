package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

class MeasurementTest {

    @ParameterizedTest
    @CsvSource({"AT_MOST,1,≤", "AT_MOST,2,≤", "AT_MOST,3,>", "AT_LEAST,3,≥", "AT_LEAST,2,≥", "AT_LEAST,1,<", "ABOUT,9,≈"
    })
    void printsTheSignThatIsTrue(Relation relation, double value, String sign) {
        var measured = new Measurement("x", value, "", Interval.exact(value), 1, new Reference(relation, 2));
        assertThat(measured.referenceText()).isEqualTo(" " + sign + " 2.000");
    }
}
