package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

class CellRunTest {

    @TempDir
    private Path directory;

    private CellRun.Report run(String settings) throws IOException {
        return CellRun.run(Probes.cell(directory, settings), Probes.LIMITS, cell(), () -> false);
    }

    private Path cell() {
        return directory.resolve("cell");
    }

    private static CellRecord record(CellRun.Report report) {
        return Optional.ofNullable(report.record()).orElseThrow();
    }

    @Test
    void aResultHasItsSettingsAndWhereItRan() throws IOException {
        Cell cell = Probes.cell(directory, "parts: 3, seed: 9");
        CellRun.Report report = CellRun.run(cell, Probes.LIMITS, cell(), () -> false);
        assertThat(report.ending()).isEqualTo(Ending.DONE);
        assertThat(report.trace()).isNull();
        CellRecord record = record(report);
        assertThat(record.cell()).isEqualTo(cell.id());
        assertThat(record.seed()).isEqualTo(9);
        assertThat(record.settings()).isEqualTo(cell.settings());
        assertThat(record.status()).isEqualTo(Status.DONE);
        assertThat(record.measurement("value")).isPresent();
        assertThat(record.run().attempts()).isEqualTo(1);
        assertThat(record.run().environment()).containsKeys("time", "commit");
        assertThat(cell().resolve(CellRun.CONFIG)).hasContent(cell.yaml());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        throw| IllegalStateException: a fault; of two lines
        refuse| size: expected another one
        recurse| StackOverflowError
        break| InternalError: broken
        quit| InterruptedTrialException: stopped; can be resumed
        """)
    void whateverItThrowsIsAFailureWithAReasonInOneLine(String behaviour, String expected) throws IOException {
        CellRun.Report report = run("behaviour: " + behaviour);
        assertThat(report.ending()).isEqualTo(Ending.FAILED);
        assertThat(record(report).status()).isEqualTo(Status.FAILED);
        assertThat(record(report).reason()).isEqualTo(expected);
        assertThat(record(report).measurements()).isEmpty();
        assertThat(record(report).run().attempts()).isEqualTo(1);
        assertThat(report.trace()).contains("\tat ");
    }

    @Test
    void aFailureOfFilesIsTriedAgain() throws IOException {
        CellRun.Report report = run("behaviour: stumble, failures: 2");
        assertThat(report.ending()).isEqualTo(Ending.DONE);
        assertThat(record(report).run().attempts()).isEqualTo(3);
        assertThat(record(report).measurements()).isNotEmpty();
    }

    @Test
    void afterTheLastRetryItHasFailed() throws IOException {
        CellRun.Report report = run("behaviour: stumble, failures: 3");
        assertThat(report.ending()).isEqualTo(Ending.FAILED);
        assertThat(record(report).reason()).isEqualTo("stumbled 3 times");
        assertThat(record(report).run().attempts()).isEqualTo(3);
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() throws IOException {
        Files.writeString(directory.resolve("file"), "no directory");
        Path below = directory.resolve("file/cell");
        CellRun.Report report = CellRun.run(Probes.cell(directory, ""), Probes.LIMITS, below, () -> false);
        assertThat(report.ending()).isEqualTo(Ending.FAILED);
        assertThat(record(report).reason()).startsWith(directory.resolve("file").toString());
    }

    @Test
    void oneThatIsStoppedGoesOnWhereItWas() throws IOException {
        Cell cell = Probes.cell(directory, "parts: 6");
        AtomicInteger looks = new AtomicInteger();
        CellRun.Report first = CellRun.run(cell, Probes.LIMITS, cell(), () -> looks.getAndIncrement() >= 4);
        assertThat(first).isEqualTo(CellRun.Report.INTERRUPTED);
        CellRun.Report second = CellRun.run(cell, Probes.LIMITS, cell(), () -> false);
        assertThat(cell().resolve(ProbeTrial.RESUMED)).hasContent("4");
        CellRun.Report undisturbed = CellRun.run(cell, Probes.LIMITS, directory.resolve("other"), () -> false);
        assertThat(Probes.content(record(second))).isEqualTo(Probes.content(record(undisturbed)));
    }

    @Test
    void whatAKilledProcessWasWritingIsCleared() throws IOException {
        Files.createDirectories(cell());
        for (String name :
                new String[] {"result.json", "config.yaml", "state.txt", "weights.safetensors", "failure.txt"}) {
            Files.writeString(cell().resolve("." + name + "." + UUID.randomUUID() + ".part"), "half");
        }
        Files.writeString(cell().resolve(".of-somebody-else.part"), "whole");
        run("");
        try (Stream<Path> files = Files.list(cell())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(CellRun.CONFIG, ".of-somebody-else.part");
        }
    }
}
