package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.token.Example;
import org.lemmata.train.DataSet;

/** What {@code generate} writes can be trained on. */
class GeneratedDataSetTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "tok"})
    void comesBackAsItWasDrawn(String format) throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "generate", "dyck-words", "-p", "N=5", "-n", "20", "--test", "7", "--format", format, "--out",
                directory.toString());
        assertThat(run.code()).as(run.err()).isZero();
        Task task = Tasks.CATALOGUE.entry("dyck-words").create(Map.of("N", "5"));
        DataSet set = DataSet.open(directory);
        assertThat(set.vocabulary()).isEqualTo(task.vocabulary());
        assertThat(set.examples("test")).hasSize(7);
        List<Example> examples = set.examples("train");
        assertThat(examples).hasSize(20).allMatch(example -> task.accepts(example.inputs()));
        assertThat(examples).allMatch(example -> example.equals(Example.nextToken(example.inputs())));
    }
}
