package org.lemmata.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;

class ConfigurationTest {

    private enum Kind {
        SGD,
        ADAM_W
    }

    private static final Section SCHEMA = Section.of(
            "",
            List.of(new Setting("seed", "1", "a seed"), new Setting("steps", "", "steps")),
            Section.open("settings", "settings of a task"),
            Section.of(
                    "optimizer",
                    List.of(
                            new Setting("kind", "adam-w", "the rule"),
                            new Setting("learning-rate", "1e-3", "the rate"),
                            new Setting("betas", "[0.9, 0.999]", "decay of moments"),
                            new Setting("clipping", "none", "maximum norm"),
                            new Setting("momentum", "0", "momentum of sgd"),
                            new Setting("tied", "true", "a flag")),
                    Section.repeated(
                            "groups",
                            List.of(new Setting("match", "", "a glob"), new Setting("weight-decay", "0", "decay")))));

    /** The values that a reader of this schema reads, in order. */
    private record Values(
            long seed,
            int steps,
            Map<String, String> settings,
            Kind kind,
            double rate,
            List<Double> betas,
            double clipping,
            boolean tied,
            List<String> groups) {

        static Values of(Configuration root) {
            Configuration optimizer = root.section("optimizer");
            Kind kind = optimizer.choice("kind", Kind.class);
            if (kind == Kind.SGD) {
                optimizer.get("momentum", ValueType.FRACTION);
            }
            var values = new Values(
                    root.seed("seed"),
                    root.integer("steps", 1, 1_000_000),
                    root.section("settings").texts(),
                    kind,
                    optimizer.get("learning-rate", ValueType.POSITIVE),
                    optimizer.fractions("betas"),
                    optimizer.unless("none", "clipping", ValueType.POSITIVE).orElse(Double.POSITIVE_INFINITY),
                    optimizer.flag("tied"),
                    optimizer.sections("groups").stream()
                            .map(group -> group.text("match", "a glob") + " "
                                    + group.get("weight-decay", ValueType.NOT_NEGATIVE))
                            .toList());
            root.requireAllRead();
            return values;
        }
    }

    @TempDir
    private Path directory;

    private Configuration read(String yaml, String... overrides) throws IOException {
        Path file = Files.writeString(directory.resolve("x.yaml"), yaml);
        return Configuration.read(file, List.of(overrides), SCHEMA);
    }

    @Test
    void defaultsHoldWhereNothingIsGiven() throws IOException {
        assertThat(Values.of(read("steps: 5")))
                .isEqualTo(new Values(
                        1,
                        5,
                        Map.of(),
                        Kind.ADAM_W,
                        1e-3,
                        List.of(0.9, 0.999),
                        Double.POSITIVE_INFINITY,
                        true,
                        List.of()));
    }

    @Test
    void everyFormOfValueIsRead() throws IOException {
        String yaml = """
            # a comment
            seed: -9223372036854775808
            steps: 10_000
            settings: {N: 16, word: (()), deep: true}
            optimizer:
              kind: sgd
              learning-rate: 6e-5
              betas: [0, 0.5]
              clipping: 1
              momentum: .5
              tied: false
              groups:
                - match: "layer.*"
                  weight-decay: 0.1
                - {match: '*'}
            """;
        assertThat(Values.of(read(yaml)))
                .isEqualTo(new Values(
                        Long.MIN_VALUE,
                        10_000,
                        Map.of("N", "16", "word", "(())", "deep", "true"),
                        Kind.SGD,
                        6e-5,
                        List.of(0.0, 0.5),
                        1,
                        false,
                        List.of("layer.* 0.1", "* 0.0")));
    }

    @Test
    void overridesReplaceWhatTheFileSaysAndTheLastHolds() throws IOException {
        Configuration root = read(
                "steps: 5\noptimizer: {tied: false, groups: [{match: a}, {match: b}]}",
                "steps=6",
                "steps=7",
                "optimizer.learning-rate=0.5",
                "optimizer.betas=[0.1, 0.2]",
                "optimizer.groups.1.weight-decay=2",
                "settings.word==x");
        Values values = Values.of(root);
        assertThat(values.steps()).isEqualTo(7);
        assertThat(values.rate()).isEqualTo(0.5);
        assertThat(values.betas()).containsExactly(0.1, 0.2);
        assertThat(values.tied()).isFalse();
        assertThat(values.groups()).containsExactly("a 0.0", "b 2.0");
        assertThat(values.settings()).containsExactly(Map.entry("word", "=x"));
        assertThat(Values.of(read("steps: 5", "optimizer.groups=[{match: c}]")).groups())
                .containsExactly("c 0.0");
    }

    @Test
    void theEffectiveConfigurationReadsAsTheSame() throws IOException {
        Configuration root = read("steps: 5\nsettings: {word: '1e3', b: 'true'}\n", "optimizer.groups=[{match: '*'}]");
        Values values = Values.of(root);
        String yaml = root.toYaml();
        assertThat(yaml)
                .startsWith("seed: 1\nsteps: 5\nsettings:\n")
                .contains("learning-rate: 0.001\n", "clipping: none\n")
                .doesNotContain("momentum");
        Configuration again = read(yaml);
        assertThat(Values.of(again)).isEqualTo(values);
        assertThat(again.toYaml()).isEqualTo(yaml);
        assertThat(again.effective()).isEqualTo(root.effective()).containsEntry("optimizer.learning-rate", "0.001");
    }

    /** A new key must not change the ids of earlier cells, whether or not its default is given, in any spelling. */
    @Test
    void whatIsImpliedIsWrittenOnlyWhereItIsNotTheDefault() throws IOException {
        Section schema = Section.of(
                "",
                List.of(
                        new Setting("steps", "1", "recorded always"),
                        Setting.implied("count", "0", "an integer"),
                        Setting.implied("share", "1", "a real number"),
                        Setting.implied("deep", "false", "a flag"),
                        Setting.implied("word", "greedy", "a word")),
                Section.of("below", List.of(Setting.implied("rest", "none", "an integer or none"))));
        assertThat(implied("steps: 1", schema))
                .isEqualTo(implied("{count: 0, share: 1.0, deep: false, word: greedy, below: {rest: none}}", schema))
                .isEqualTo(Map.of("steps", "1"));
        assertThat(implied("{count: 2, share: 0.5, deep: true, word: b, below: {rest: 3}}", schema))
                .isEqualTo(Map.of(
                        "steps", "1", "count", "2", "share", "0.5", "deep", "true", "word", "b", "below.rest", "3"));
    }

    private Map<String, String> implied(String yaml, Section schema) throws IOException {
        Configuration root =
                Configuration.read(Files.writeString(directory.resolve("x.yaml"), yaml), List.of(), schema);
        root.integer("steps", 0, 9);
        root.integer("count", 0, 9);
        root.get("share", ValueType.SHARE);
        root.flag("deep");
        root.text("word", "a word");
        root.section("below").unless("none", "rest", ValueType.integer(0, 9));
        root.requireAllRead();
        assertThat(root.toYaml().lines().filter(line -> !line.isEmpty() && !line.endsWith(":")))
                .hasSize(root.effective().size());
        return root.effective();
    }

    /** The ids of cells are computed from these texts, so a changed text would change all ids. */
    @Test
    void theEffectiveTextsAreThoseOfTheYaml() throws IOException {
        Configuration root = read("""
            steps: 1_000
            seed: -9223372036854775808
            settings: {b: ' x ', c: 1e3, d: 'null', e: '1_0', f: "two\\nlines", g: 'a: b', i: '#', j: 0x10}
            optimizer:
              learning-rate: 1e-30
              betas: [0, 1e-7]
              clipping: 12345678.9
              tied: false
              groups: [{match: '*'}, {match: 'ü "q"', weight-decay: 5e22}]
            """);
        Values.of(root);
        Configuration again = read(root.toYaml());
        Values.of(again);
        assertThat(root.effective())
                .isEqualTo(again.effective())
                .containsEntry("seed", "-9223372036854775808")
                .containsEntry("steps", "1000")
                .containsEntry("settings.f", "two\nlines")
                .containsEntry("optimizer.learning-rate", "1.0E-30")
                .containsEntry("optimizer.betas.0", "0.0")
                .containsEntry("optimizer.betas.1", "1.0E-7")
                .containsEntry("optimizer.clipping", "1.23456789E7")
                .containsEntry("optimizer.tied", "false")
                .containsEntry("optimizer.groups.1.weight-decay", "5.0E22")
                .containsEntry("optimizer.groups.1.match", "ü \"q\"");
        assertThat(root.toYaml()).contains("learning-rate: 1.0E-30\n", "weight-decay: 5.0E22\n", "steps: 1000\n");
    }

    @Test
    void theFirstDifferenceFromAnEarlierConfigurationIsNamed() throws IOException {
        Path earlier = directory.resolve("earlier.yaml");
        Configuration before = read("steps: 5\nsettings: {N: 3}");
        Values.of(before);
        Files.writeString(earlier, before.toYaml());
        assertThat(difference(earlier, "steps: 5\nsettings: {N: 3}\noptimizer: {learning-rate: 0.0010}"))
                .isEmpty();
        Files.writeString(earlier, before.toYaml().replace("learning-rate: 0.001", "learning-rate: 1e-3"));
        assertThat(difference(earlier, "steps: 5\nsettings: {N: 3}")).isEmpty();
        assertThat(difference(earlier, "steps: 6\nsettings: {N: 4}"))
                .hasValue("steps: expected 5 as in " + earlier + ", got 6");
        assertThat(difference(earlier, "steps: 5\nsettings: {N: 4}\nseed: 2", "seed"))
                .hasValue("settings.N: expected '3' as in " + earlier + ", got '4'");
        assertThat(difference(earlier, "steps: 5\nsettings: {N: 3, M: 4}"))
                .hasValue("settings.M: expected nothing as in " + earlier + ", got '4'");
        assertThat(difference(earlier, "steps: 5"))
                .hasValue("settings.N: expected '3' as in " + earlier + ", got" + " nothing");
        assertThat(difference(earlier, "steps: 5\nsettings: {N: 3}\noptimizer: {groups: [{match: a}]}"))
                .hasValue("optimizer.groups.0.match: expected nothing as in " + earlier + ", got 'a'");
    }

    private Optional<String> difference(Path earlier, String yaml, String... free) throws IOException {
        Configuration now = read(yaml);
        Values.of(now);
        return now.difference(earlier, Set.of(free));
    }

    @Test
    void anIntegerThatIsTooLongIsToldTheBound() throws IOException {
        Configuration root = read("steps: 99999999999");
        assertThatThrownBy(() -> root.integer("steps", 1, Integer.MAX_VALUE))
                .hasMessageEndingWith("steps: expected an integer from 1 to 2147483647, got 99999999999");
    }

    /** In the texts, ; stands for a line break. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ``| expected the keys seed, steps, settings, optimizer, got an empty file
        `# nothing`| expected the keys seed, steps, settings, optimizer, got an empty file
        just words| line 1: expected the keys seed, steps, settings, optimizer, got 'just words'
        - 1;- 2| line 1: expected the keys seed, steps, settings, optimizer, got a list of 2
        steps: 1;  seed: 2| line 2: expected YAML: mapping values are not allowed here
        steps: [1, 2| line 1: expected YAML: while parsing a flow sequence: expected ',' or ']',
        steps: 1;optimizer:;\tkind: sgd| line 3: expected YAML: while scanning for the next token: found character '\\t(TAB)' that cannot start any token.
        steps: 1;---;steps: 2| line 3: expected one YAML document, got a second one
        steps: 1;seed: 2;steps: 3| line 3: steps: expected this key once, got it again after line 1
        steps: &s 1;seed: *s| line 2: seed: expected the value itself, got the alias *s
        steps: !!int 1| line 1: steps: expected a value without a tag, got one of the type
        steps: 1;optimizer:;  learning_rat: 1| line 3: optimizer.learning_rat: unknown, did you mean optimizer.learning-rate?
        stesp: 1| line 1: stesp: unknown, did you mean steps?
        steps: 1;learningRate: 1| line 2: learningRate: unknown, expected one of seed, steps, settings, optimizer
        steps: 1;tied: true| line 2: tied: unknown, did you mean optimizer.tied?
        seed: 1| steps: expected an integer from 1 to 1000000, got nothing
        steps:| line 1: steps: expected an integer from 1 to 1000000, got nothing; leave the key out
        steps: many| line 1: steps: expected an integer from 1 to 1000000, got 'many'
        steps: '5'| line 1: steps: expected an integer from 1 to 1000000, got '5'; leave out the quotes
        steps: 1;optimizer: {learning-rate: '1e-4'}| line 2: optimizer.learning-rate: expected a number above 0, got '1e-4'; leave out the quotes
        steps: 1;optimizer: {learning-rate: 1e-400}| line 2: optimizer.learning-rate: expected a number above 0 that binary64 does not round to 0, got 1e-400
        steps: 1;optimizer: {kind: sgd, momentum: 1e-400}| line 2: optimizer.momentum: expected a number from 0 to below 1 that binary64 does not round to 0, got 1e-400
        steps: 1;optimizer: {tied: 'false'}| line 2: optimizer.tied: expected true or false, got 'false'; leave out the quotes
        steps: 1;optimizer: {groups: [{match: a, weight-decay: 1e-400}]}| line 2: optimizer.groups.0.weight-decay: expected a number from 0 that binary64 does not round to 0, got 1e-400
        steps: 5.0| line 1: steps: expected an integer from 1 to 1000000, got 5.0
        steps: 010| line 1: steps: expected an integer from 1 to 1000000, got '010'
        steps: 0| line 1: steps: expected an integer from 1 to 1000000, got 0
        steps: 99999999999| line 1: steps: expected an integer from 1 to 1000000, got 99999999999
        steps: [5]| line 1: steps: expected an integer from 1 to 1000000, got a list of 1
        steps: {a: 5}| line 1: steps: expected an integer from 1 to 1000000, got a section with the key a
        steps: 1;seed: 9223372036854775808| line 2: seed: expected an integer of 64 bits, got 92233720
        steps: 1;optimizer: sgd| line 2: optimizer: expected a section with keys, got 'sgd'
        steps: 1;optimizer:| line 2: optimizer: expected a section with keys, got nothing;
        steps: 1;optimizer:;  learning-rate: -1| line 3: optimizer.learning-rate: expected a number above 0, got -1
        steps: 1;optimizer:;  learning-rate: .inf| line 3: optimizer.learning-rate: expected a number above 0, got '.inf'
        steps: 1;optimizer:;  learning-rate: 1e999| line 3: optimizer.learning-rate: expected a number above 0, got 1e999
        steps: 1;optimizer: {kind: adam}| line 2: optimizer.kind: expected one of sgd, adam-w, got 'adam'
        steps: 1;optimizer: {tied: yes}| line 2: optimizer.tied: expected true or false, got 'yes'
        steps: 1;optimizer: {betas: [0.9]}| line 2: optimizer.betas: expected a list of 2 numbers from 0 to below 1, got a list of 1
        steps: 1;optimizer: {betas: [0.9, 1]}| line 2: optimizer.betas: expected a list of 2 numbers from 0 to below 1, got 1
        steps: 1;optimizer: {clipping: off}| line 2: optimizer.clipping: expected a number above 0 or none, got 'off'
        steps: 1;optimizer: {momentum: 0.5}| line 2: optimizer.momentum: expected no such key, since it has no effect here, got 0.5 (it is momentum of sgd)
        steps: 1;optimizer: {groups: {match: a}}| line 2: optimizer.groups: expected a list of sections,
        steps: 1;optimizer: {groups: [a]}| line 2: optimizer.groups.0: expected the keys match, weight-decay, got 'a'
        steps: 1;optimizer: {groups: [{weight-decay: 1}]}| line 2: optimizer.groups.0.match: expected a glob, got nothing
        steps: 1;settings: {a: [1]}| line 2: settings.a: expected a scalar, got a list of 1
        """)
    void oneLineNamesPlaceKeyAndProblem(String text, String problem) {
        String yaml = text == null ? "" : text.replace(';', '\n');
        assertThatThrownBy(() -> Values.of(read(yaml)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith(directory.resolve("x.yaml") + ": " + problem)
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        steps| expected key=value such as model.width=64, got 'steps'
        =5| expected key=value such as model.width=64, got '=5'
        optimizer..kind=5| expected key=value such as model.width=64, got 'optimizer..kind=5'
        steps.=5| expected key=value such as model.width=64, got 'steps.=5'
        steps=| steps: expected a value after =, got nothing
        steps=[1| steps: expected a YAML scalar or list, got '[1'
        optimizer={kind: sgd}| optimizer: expected a scalar or a list, got a section with the key kind; give its keys one by one
        steps.a=5| steps.a: expected a section at steps, got 5
        stesp=5| stesp: unknown, did you mean steps?
        optimizer.learning-rat=5| optimizer.learning-rat: unknown, did you mean optimizer.learning-rate?
        optimzer.kind=sgd| optimzer: unknown, did you mean optimizer?
        optimizer=sgd| optimizer: expected a section with keys, got 'sgd'
        steps=abc| steps: expected an integer from 1 to 1000000, got 'abc'
        optimizer.groups.2.match=a| optimizer.groups.2.match: expected one of the 1 elements of optimizer.groups, counted from 0, got '2'
        optimizer.momentum=0.5| optimizer.momentum: expected no such key, since it has no effect here
        """)
    void aBadOverrideIsSaidToBeOne(String override, String problem) {
        assertThatThrownBy(() -> Values.of(read("steps: 5\noptimizer: {groups: [{match: a}]}", override)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith("command line: " + problem)
                .doesNotContain("\n");
    }

    @Test
    void whatIsNoTextFileIsRefused() throws IOException {
        assertRefused(
                () -> Configuration.read(directory.resolve("none.yaml"), List.of(), SCHEMA),
                directory.resolve("none.yaml") + ": expected a configuration, got no such file");
        assertThatThrownBy(() -> Configuration.read(directory, List.of(), SCHEMA))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(directory + ": expected a configuration, got ");
        Path latin = Files.write(directory.resolve("y.yaml"), "steps: é".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> Configuration.read(latin, List.of(), SCHEMA))
                .hasMessage(latin + ": line 1: expected UTF-8, got the byte 0xe9");
        Path binary = Files.write(directory.resolve("z.yaml"), new byte[] {1, 2, 0});
        assertThatThrownBy(() -> Configuration.read(binary, List.of(), SCHEMA))
                .hasMessage(binary + ": line 1: expected YAML: special characters are not allowed");
    }

    @Test
    void anOverrideMayLeaveWhatTheFileSaysWithoutEffect() throws IOException {
        String yaml = "steps: 1\noptimizer: {kind: sgd, momentum: 0.5}";
        Configuration root = read(yaml, "optimizer.kind=adam-w");
        assertThat(Values.of(root).kind()).isEqualTo(Kind.ADAM_W);
        assertThat(root.effective()).doesNotContainKey("optimizer.momentum");
        assertThatThrownBy(() -> Values.of(read(yaml, "optimizer.kind=adam-w", "optimizer.momentum=0.5")))
                .hasMessageStartingWith("command line: optimizer.momentum: expected no such key");
    }

    @Test
    void aSectionIsOneHoweverOftenItIsAskedFor() throws IOException {
        Configuration root = read("steps: 1\noptimizer: {tied: false}");
        assertThat(root.section("optimizer").flag("tied")).isFalse();
        assertThat(root.section("optimizer")).isSameAs(root.section("optimizer"));
        root.integer("steps", 1, 1);
        root.requireAllRead();
        assertThat(root.effective()).containsEntry("optimizer.tied", "false");
    }

    @Test
    void pathsNameEveryKey() {
        assertThat(SCHEMA.paths())
                .containsExactly(("seed steps settings.* optimizer.kind optimizer.learning-rate optimizer.betas "
                                + "optimizer.clipping optimizer.momentum optimizer.tied optimizer.groups.*.match "
                                + "optimizer.groups.*.weight-decay")
                        .split(" ", -1));
    }

    /** A dotted key stands for nested sections, both in files and in overrides. */
    private static final Section ANYTHING = Section.open("", "anything");

    private static Node.Mapping document(String yaml) {
        return Configuration.document("run.yaml", yaml, ANYTHING);
    }

    /** The tree as flow YAML. */
    private static String text(Node node) {
        return switch (node) {
            case Node.Scalar scalar -> scalar.text();
            case Node.Sequence list ->
                list.elements().stream().map(ConfigurationTest::text).toList().toString();
            case Node.Mapping section -> {
                List<String> entries = new ArrayList<>();
                section.entries().forEach((key, value) -> entries.add(key + ": " + text(value)));
                yield "{" + String.join(", ", entries) + "}";
            }
        };
    }

    private static Node value(String yaml) {
        return document("value: " + yaml).entries().firstEntry().getValue();
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
        assertThat(text(document(yaml))).isEqualTo(expected);
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
        assertRefused(() -> document(yaml), expected);
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
        Node.Mapping root = document(yaml);
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
        assertRefused(() -> document(yaml).put(path, nine), "grid.yaml: line 4: " + expected);
    }

    @Test
    void aValueMayBeAListOrASection() {
        assertThat(text(document("{}").put("a.b", value("[1, [2]]")))).isEqualTo("{a: {b: [1, [2]]}}");
        assertThat(text(document("{a: 1}").put("a", value("{b: 1}")))).isEqualTo("{a: {b: 1}}");
    }
}
