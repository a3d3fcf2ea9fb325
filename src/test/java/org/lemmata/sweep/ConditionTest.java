package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.config.Node;
import org.lemmata.config.Section;

class ConditionTest {

    /** Dotted paths to values of every kind. */
    private static final Map<String, Node> VALUES =
            Axis.leaves("", Configuration.document("grid.yaml", """
                model: {width: 64, layers: 4, dropout: 0.10, positions: {kind: none}}
                optimizer: {learning-rate: 1e-3, betas: [0.9, 0.99]}
                precision.format: ocp_e4m3
                big: 1_000
                flag: true
                """, Section.open("", "anything")));

    private static boolean holds(String text) {
        return Condition.holds(line(text), VALUES);
    }

    private static Node line(String text) {
        Node list = Configuration.document("grid.yaml", "\n\nwhere: ['" + text + "']", Section.open("", ""))
                .entries()
                .firstEntry()
                .getValue();
        return ((Node.Sequence) list).elements().getFirst();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        model.width == 64; true
        model.width != 64; false
        model.width < 64; false
        model.width <= 64; true
        model.width >= 64; true
        model.width > 64; false
        model.width>63; true
        63 < model.width; true
        model.width == 64.0; true
        model.dropout == 0.1; true
        optimizer.learning-rate == 0.001; true
        optimizer.learning-rate < 1e-3; false
        big == 1000; true
        big > 999; true
        model.layers * 16 == model.width; true
        model.layers * 16 < model.width; false
        2 * model.layers * model.layers <= 31; false
        model.width == model.layers; false
        model.layers > 4 or model.width == 64; true
        model.layers > 4 or model.width > 64; false
        model.layers == 4 or model.width > 64; true
        model.layers > 4 or model.layers < 4 or model.layers == 4; true
        model.positions.kind == none; true
        model.positions.kind != none; false
        model.positions.kind == table; false
        precision.format == ocp_e4m3; true
        precision.format != ocp_e4m3; false
        flag == true; true
        model.width == none; false
        """)
    void comparisonsHoldOrNot(String text, boolean expected) {
        assertThat(holds(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        model.widht == 64; a number, or a key that an axis or the base gives a value, got 'model.widht' in 'model.widht == 64'
        model.width == model.layer; a number, or a key that an axis or the base gives a value, got 'model.layer' in 'model.width == model.layer'
        width > 3; a number, or a key that an axis or the base gives a value, got 'width' in 'width > 3'
        model.width > wide; a number, or a key that an axis or the base gives a value, got 'wide' in 'model.width > wide'
        model.layers * widht == 64; a number, or a key that an axis or the base gives a value, got 'widht' in 'model.layers * widht == 64'
        model.layers == 4 or model.widht == 64; a number, or a key that an axis or the base gives a value, got 'model.widht' in 'model.layers == 4 or model.widht == 64'
        model.positions.kind < 3; numbers on both sides of <, got 'none' and '3' in 'model.positions.kind < 3'
        model.positions.kind >= flag; numbers on both sides of >=, got 'none' and 'true' in 'model.positions.kind >= flag'
        model.positions.kind * 2 == 4; numbers in a product, got 'none' in 'model.positions.kind * 2 == 4'
        model.width < 1e99999999999; a number, or a key that an axis or the base gives a value, got '1e99999999999' in 'model.width < 1e99999999999'
        2e999999999 * 2e999999999 * 2e999999999 > 1; a number, or a key that an axis or the base gives a value, got '2e999999999' in '2e999999999 * 2e999999999 * 2e999999999 > 1'
        model.width; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width'
        model.width = 64; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width = 64'
        model.width ==; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width =='
        model.width == 64 or; a number, or a key that an axis or the base gives a value, got '64 or' in 'model.width == 64 or'
        model.width == 64 or big; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width == 64 or big'
        model.width * == 64; a number, or a key that an axis or the base gives a value, got '' in 'model.width * == 64'
        """)
    void whatCannotBeComparedIsRefusedInOneLine(String text, String expected) {
        assertRefused(() -> holds(text), "grid.yaml: line 3: where: expected " + expected);
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "true, true", "'{a: 1}', a section with the key a"})
    void aLineThatIsNoTextIsRefused(String yaml, String came) {
        Node list = Configuration.document("grid.yaml", "where: [" + yaml + "]", Section.open("", ""))
                .entries()
                .firstEntry()
                .getValue();
        assertRefused(
                () -> Condition.holds(((Node.Sequence) list).elements().getFirst(), VALUES),
                "grid.yaml: line 1: where: expected a comparison such as model.layers <= model.width, got " + came);
    }
}
