package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.MalformedFileException;

class BenchmarkSuiteTest {

    @TempDir
    private Path directory;

    private List<BenchmarkCell> cells(String lines, String options) throws IOException {
        BenchmarkJar jar = StandInJmh.build(directory).jar();
        Path file = Files.writeString(directory.resolve("suite"), lines);
        return BenchmarkSuite.cells(file, jar, JmhArguments.parse(JmhArguments.words(options)), 3);
    }

    @Test
    void readsALineABenchmark() throws IOException {
        List<BenchmarkCell> cells = cells("# head\n\nfast -p n=1 -f 2 -wi 4 # why\nmodes -i 5\n", "-wi 1");
        assertThat(cells).extracting(BenchmarkCell::shortKey).containsExactly("Bench.fast n=1", "Bench.modes");
        assertThat(cells).extracting(BenchmarkCell::forks).containsExactly(2, 3);
        assertThat(cells.getFirst().options()).containsExactly("-wi", "1");
        assertThat(cells.getLast().options()).containsExactly("-i", "5", "-wi", "1");
    }

    @Test
    void namesTheLineThatItRefuses() throws IOException {
        assertThatThrownBy(() -> cells("modes\nfast|modes\n", ""))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("demo.Bench.modes again");
        assertThatThrownBy(() -> cells("modes -l\n", "")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> cells("modes -prof gc\n", ""))
                .hasMessageEndingWith("-prof, -jvm: expected on the command line, for all lines");
        assertThatThrownBy(() -> cells("# nothing\n", "")).hasMessageContaining("got none");
        Path latin = Files.write(directory.resolve("latin"), new byte[] {'#', '\n', (byte) 0xff});
        BenchmarkJar jar = StandInJmh.build(directory).jar();
        assertThatThrownBy(() -> BenchmarkSuite.cells(latin, jar, JmhArguments.parse(List.of()), 3))
                .hasMessage(latin + ": line 2: expected UTF-8, got the byte 0xff");
    }

    @Test
    void aJournalNamesTheLineThatIsNoText() throws IOException {
        Path journal = Files.write(directory.resolve("journal"), new byte[] {'{', '}', '\n', (byte) 0xff, '\n'});
        assertThatThrownBy(() -> BenchmarkJournal.open(journal, "plan"))
                .hasMessage(journal + ": line 2: expected UTF-8, got the byte 0xff");
    }

    @Test
    void aTerminalObeysNoParameter() {
        var cell = new BenchmarkCell("demo.Bench.fast", new LinkedHashMap<>(Map.of("n", "\u001b[31m")), List.of(), 1);
        assertThat(cell.shortKey()).isEqualTo("Bench.fast n=?[31m");
    }
}
