package org.lemmata.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A dotted key stands for nested sections, both in files and in overrides. */
class DottedKeysTest {

    private static final Section ANYTHING = Section.open("", "anything");

    private static Node.Mapping read(String yaml) {
        return Configuration.document("run.yaml", yaml, ANYTHING);
    }

    /** The tree as flow YAML. */
    private static String text(Node node) {
        return switch (node) {
            case Node.Scalar scalar -> scalar.text();
            case Node.Sequence list ->
                list.elements().stream().map(DottedKeysTest::text).toList().toString();
            case Node.Mapping section -> {
                List<String> entries = new ArrayList<>();
                section.entries().forEach((key, value) -> entries.add(key + ": " + text(value)));
                yield "{" + String.join(", ", entries) + "}";
            }
        };
    }

    private static Node value(String yaml) {
        return read("value: " + yaml).entries().firstEntry().getValue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        a.b: 1; {a: {b: 1}}
        a.b.c: 1; {a: {b: {c: 1}}}
        {a: {b: 1}, a.c: 2}; {a: {b: 1, c: 2}}
        {a.c: 2, a.b: 1}; {a: {c: 2, b: 1}}
        {a.b: {c: 1}, a.b.d: 2}; {a: {b: {c: 1, d: 2}}}
        {a: {b.c: 1, d: 2}}; {a: {b: {c: 1}, d: 2}}
        {a: [{b.c: 1}]}; {a: [{b: {c: 1}}]}
        a.b: [1, 2]; {a: {b: [1, 2]}}
        # A dot at the start or the end does not divide a key.
        {.a: 1, b.: 2}; {.a: 1, b.: 2}
        """)
    void aFileMayNameSectionsByDots(String yaml, String expected) {
        assertThat(text(read(yaml))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        {a.b: 1, a: {b: 2}}; run.yaml: line 1: a: expected this key once, got it again after line 1
        {a: {b: 1}, a.b: 2}; run.yaml: line 1: a.b: expected this key once, got it again after line 1
        {a.b: 1, a.b: 2}; run.yaml: line 1: a.b: expected this key once, got it again after line 1
        {a: 1, a.b: 2}; run.yaml: line 1: a: expected this key once, got it again after line 1
        {x: {a.b.c: 1, a.b: 2}}; run.yaml: line 1: x.a.b: expected this key once, got it again after line 1
        """)
    void aKeyThatStandsTwiceIsRefusedHoweverItIsWritten(String yaml, String expected) {
        assertRefused(() -> read(yaml), expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        {}; a; {a: 9}
        {}; a.b.c; {a: {b: {c: 9}}}
        {a: 1, b: 2}; a; {a: 9, b: 2}
        {a: {b: 1, c: 2}}; a.b; {a: {b: 9, c: 2}}
        {a: {b: 1}}; a; {a: 9}
        {a: [1, 2, 3]}; a.1; {a: [1, 9, 3]}
        {a: [{b: 1}, {b: 2}]}; a.1.b; {a: [{b: 1}, {b: 9}]}
        {a: [{b: 1}]}; a.0.c; {a: [{b: 1, c: 9}]}
        """)
    void aValueIsPutAtAPathAndTheRestStays(String yaml, String path, String expected) {
        Node.Mapping root = read(yaml);
        String before = text(root);
        assertThat(text(root.put(path, value("9")))).isEqualTo(expected);
        assertThat(text(root)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        {a: 1}; a.b; a.b: expected a section at a, got 1
        {a: word}; a.b.c; a.b.c: expected a section at a, got 'word'
        {a: [1]}; a.1; a.1: expected one of the 1 elements of a, counted from 0, got '1'
        {a: [1]}; a.x; a.x: expected one of the 1 elements of a, counted from 0, got 'x'
        {}; a..b; a..b: expected a dotted path such as model.width
        {}; .a; .a: expected a dotted path such as model.width
        """)
    void aPathThroughWhatIsNoSectionIsRefusedAtThePlaceOfTheValue(String yaml, String path, String expected) {
        Node nine = new Node.Scalar(new Place("grid.yaml", 4), Node.Kind.INTEGER, "9");
        assertRefused(() -> read(yaml).put(path, nine), "grid.yaml: line 4: " + expected);
    }

    @Test
    void aValueMayBeAListOrASection() {
        assertThat(text(read("{}").put("a.b", value("[1, [2]]")))).isEqualTo("{a: {b: [1, [2]]}}");
        assertThat(text(read("{a: 1}").put("a", value("{b: 1}")))).isEqualTo("{a: {b: 1}}");
    }
}
