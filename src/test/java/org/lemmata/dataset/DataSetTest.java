package org.lemmata.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.file.MalformedFileException;
import org.lemmata.token.Example;

class DataSetTest {

    private static final String MANIFEST = """
        {"task": "brackets", "settings": {}, "seed": 3, "format": "FORMAT", "vocabulary": ["(", ")"],
         "splits": {"train": {"file": "data", "examples": 2, "seed": 9}}}
        """;

    @TempDir
    Path directory;

    @BeforeEach
    void writeManifest() throws IOException {
        manifest(MANIFEST.replace("FORMAT", "jsonl"));
    }

    private void manifest(String text) throws IOException {
        Files.writeString(directory.resolve("manifest.json"), text);
    }

    private void data(String text) throws IOException {
        Files.writeString(directory.resolve("data"), text);
    }

    @Test
    void readsJsonLines() throws IOException {
        data("""
            {"input":["(",")","("],"target":[")"],"position":[2]}
            {"input":[],"target":[],"position":[]}
            """);
        DataSet set = DataSet.open(directory);
        assertThat(set.task()).contains("brackets");
        assertThat(set.vocabulary().symbols()).containsExactly("(", ")");
        assertThat(set.examples("train"))
                .containsExactly(new Example(new int[] {0, 1, 0}, new int[] {1}, new int[] {2}), Example.nextToken());
    }

    /** Programs on Windows begin a file with this mark. */
    @Test
    void aByteOrderMarkIsIgnored() throws IOException {
        manifest("\uFEFF" + MANIFEST.replace("FORMAT", "jsonl"));
        String line = "{\"input\":[],\"target\":[],\"position\":[]}\n";
        data("\uFEFF" + line + line);
        assertThat(DataSet.open(directory).examples("train")).containsOnly(Example.nextToken());
        data(line + "\uFEFF" + line);
        assertThatThrownBy(() -> DataSet.open(directory).examples("train")).hasMessageContaining("data: line 2: ");
    }

    @Test
    void readsNumbers() throws IOException {
        data("""
            {"input":["(",")"],"position":[1],"value":[-0.1]}
            {"input":["("],"position":[0],"value":[1.17549435E-38]}
            """);
        assertThat(DataSet.open(directory).examples("train"))
                .containsExactly(
                        Example.regression(new int[] {0, 1}, -0.1f),
                        Example.regression(new int[] {0}, Float.MIN_NORMAL));
    }

    @Test
    void readsTokens() throws IOException {
        manifest(MANIFEST.replace("FORMAT", "tok"));
        data("( ) (\n\n");
        assertThat(DataSet.open(directory).examples("train"))
                .containsExactly(Example.nextToken(0, 1, 0), Example.nextToken());
    }

    private void labels(String text) throws IOException {
        manifest(MANIFEST.replace("FORMAT", "tok").replace("\"seed\": 9", "\"labels\": \"labels.txt\""));
        Files.writeString(directory.resolve("labels.txt"), text);
    }

    @Test
    void readsTokensWithNumbers() throws IOException {
        labels("0.25\n-1.0E-3\n");
        data("( ) (\n)\n");
        assertThat(DataSet.open(directory).examples("train"))
                .containsExactly(
                        Example.regression(new int[] {0, 1, 0}, 0.25f), Example.regression(new int[] {1}, -1e-3f));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1|: expected 2 numbers, one per example, got 1
        1,2,3|: expected 2 numbers, one per example, got 3
        1,x|: line 2: expected a finite number, got 'x'
        NaN,1|: line 1: expected a finite number, got 'NaN'
        """)
    void namesTheNumberThatIsWrong(String lines, String expected) throws IOException {
        labels(lines.replace(',', '\n') + "\n");
        data("( ) (\n)\n");
        assertMalformed(() -> DataSet.open(directory).examples("train"), directory.resolve("labels.txt") + expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {'input':['('],'target':[]}                     | line 2: position: expected an array, got nothing:
        {'input':['['],'target':[],'position':[]}       | line 2: input[0]: expected a symbol of the manifest's vocabulary, got '['
        {'input':['('],'target':['x'],'position':[0]}   | line 2: target[0]: expected a symbol of the manifest's vocabulary, got 'x'
        {'input':['('],'target':['(','('],'position':[0]} | line 2: target: expected as many as in position, 1, got 2
        {'input':['('],'value':[],'position':[0]}       | line 2: value: expected as many as in position, 1, got 0
        {'input':['('],'value':[1],'target':['('],'position':[0]} | line 2: target: expected none with value, got one
        {'input':['('],'target':['('],'position':[1]}   | line 2: scoredPositions: expected strictly ascending
        {'input':['('],'target':['('],'position':[0]    | line 2: expected an object with input, position, and target or value:
        {'input':['('],'target':['('],'position':[null]} | line 2: position[0]: expected a count, got null
        {'input':['('],'value':[1e300],'position':[0]}  | line 2: value[0]: expected a finite number of binary32, got 1.0E300
        {'input':['('],'value':['('],'position':[0]}    | line 2: value[0]: expected a number, got the string
                                                        | line 2: expected an object with input, position, and target or value, got nothing
        7                                               | line 2: expected an object, got the number 7
        {'input':['('],'target':['('],'position':[0.5]} | line 2: position[0]: expected a count, got the number 0.5
        {'input':['('],'target':['('],'position':[0]} 7 | line 2: expected an object with input, position, and target or value:
        """)
    void namesTheLineThatIsWrong(@Nullable String given, String expected) throws IOException {
        String line = given == null ? "" : given;
        data("{\"input\":[],\"target\":[],\"position\":[]}\n" + line.replace('\'', '"') + "\n");
        assertThatThrownBy(() -> DataSet.open(directory).examples("train"))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(directory.resolve("data") + ": " + expected)
                .hasMessageNotContaining("\n");
    }

    @Test
    void refusesAManifestThatIsNoText() throws IOException {
        Path manifest = directory.resolve("manifest.json");
        Files.write(manifest, new byte[] {(byte) 0xff});
        assertMalformed(() -> DataSet.open(directory), manifest + ": line 1: expected UTF-8, got the byte 0xff");
        for (String text : new String[] {"", "{", "{} {}"}) {
            manifest(text);
            assertThatThrownBy(() -> DataSet.open(directory))
                    .as("'%s'", text)
                    .isInstanceOf(MalformedFileException.class)
                    .hasMessageStartingWith(manifest + ": expected the manifest of a data set");
        }
        Files.delete(manifest);
        Files.createDirectory(manifest);
        assertMalformed(() -> DataSet.open(directory), manifest + ": expected a file, got a directory");
    }

    @Test
    void refusesWhatIsNotWhole() throws IOException {
        data("{\"input\":[],\"target\":[],\"position\":[]}\n");
        DataSet set = DataSet.open(directory);
        assertThatThrownBy(() -> set.examples("train"))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageEndingWith("data: expected 2 examples, as the manifest says, got 1");
        assertRefused(() -> set.examples("test"), "split: expected one of train in " + directory + ", got 'test'");
        manifest(MANIFEST.replace("FORMAT", "xml"));
        assertThatThrownBy(() -> DataSet.open(directory))
                .hasMessageEndingWith("manifest.json: format: expected one of jsonl, tok, txt, got the string \"xml\"");
        manifest("null");
        assertThatThrownBy(() -> DataSet.open(directory)).hasMessageEndingWith("json: expected an object, got null");
        manifest(MANIFEST.replace("FORMAT", "tok").replace("\")\"", "\"(\""));
        assertThatThrownBy(() -> DataSet.open(directory))
                .hasMessageContaining("manifest.json: vocabulary: symbols: expected distinct symbols");
    }

    @Test
    void aManifestNeedsSymbolsAndSplitsOnly() throws IOException {
        manifest("{\"vocabulary\": [\"(\", \")\"], \"splits\": {\"train\": {}, \"long\": {\"file\": \"data\"}}}");
        Files.writeString(
                directory.resolve("train.jsonl"), "{\"input\":[\"(\"],\"target\":[\")\"],\"position\":[0]}\n");
        data("");
        DataSet set = DataSet.open(directory);
        assertThat(set.task()).isEmpty();
        assertThat(set.settings()).isEmpty();
        assertThat(set.splits()).containsExactly("train", "long");
        assertThat(set.examples("train")).containsExactly(new Example(new int[] {0}, new int[] {1}, new int[] {0}));
        assertMalformed(
                () -> set.examples("long"),
                directory.resolve("data") + ": expected at least one example, one per line, got none");
        Files.delete(directory.resolve("data"));
        assertMalformed(
                () -> set.examples("long"),
                directory.resolve("data") + ": no such file; expected the examples of the split long");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {'splits': {'train': {}}}                    | vocabulary: expected an array, got nothing: the field is absent
        {'vocabulary': ['a']}                        | splits: expected an object, got nothing: the field is absent
        {'vocabulary': [], 'splits': {'train': {}}}  | vocabulary: expected at least one, got none
        {'vocabulary': ['a'], 'splits': {}}          | splits: expected at least one, got none
        {'vocabulary': ['a'], 'splits': {'x': 'y'}}  | splits.x: expected an object, got the string "y"
        {'vocabulary': 'ab', 'splits': {'x': {}}}    | vocabulary: expected an array, got the string "ab"
        """)
    void namesTheFieldOfTheManifestThatIsWrong(String text, String expected) throws IOException {
        manifest(text.replace('\'', '"'));
        assertMalformed(() -> DataSet.open(directory), directory.resolve("manifest.json") + ": " + expected);
    }
}
