package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.MalformedFileException;
import org.lemmata.statistic.Interval;
import org.lemmata.track.ComparisonRow.Change;

class AcceptedRegressionsTest {

    private static final String LINE = "2026-12-31  org.example.Work.run a=1 b=#2 (avgt)  # issue 12: checks inputs";

    @TempDir
    private Path directory;

    private static Comparison comparison(Change verdict) {
        var params = new LinkedHashMap<String, String>();
        params.put("b", "#2");
        params.put("a", "1");
        ComparisonRow row =
                Rows.compared("org.example.Work.run", params, verdict, 0.5, new Interval(0.4, 0.6), 1.1, null);
        return new Comparison("before", "now", null, List.of(), "", List.of(row.withNote("one note")));
    }

    private ComparisonRow after(String text, Change verdict, String today) throws IOException {
        Path file = Files.writeString(directory.resolve("accepted"), text);
        return AcceptedRegressions.read(file)
                .applyTo(comparison(verdict), LocalDate.parse(today))
                .rows()
                .getFirst();
    }

    @Test
    void aSlowDownIsAcceptedUntilItsDay() throws IOException {
        String text = "# ours\n\n" + LINE + "\n";
        for (Change slower : List.of(Change.SLOWER, Change.PROBABLY_SLOWER)) {
            ComparisonRow accepted = after(text, slower, "2026-12-31");
            assertThat(accepted.verdict()).isEqualTo(Change.ACCEPTED);
            assertThat(accepted.note()).isEqualTo("one note; until 2026-12-31: issue 12: checks inputs");
        }
        ComparisonRow expired = after(text, Change.SLOWER, "2027-01-01");
        assertThat(expired.verdict()).isEqualTo(Change.SLOWER);
        assertThat(expired.note()).isEqualTo("one note; was accepted until 2026-12-31: issue 12: checks inputs");
    }

    @Test
    void aReasonMayHaveTheNumberOfAnIssueAndAnEntryWithoutARowIsNamed() throws IOException {
        assertThat(after(LINE + ", see #12", Change.SLOWER, "2026-12-31").note())
                .isEqualTo("one note; until 2026-12-31: issue 12: checks inputs, see #12");
        Path file = Files.writeString(directory.resolve("accepted"), LINE + "\n" + LINE.replace("a=1", "a=10"));
        assertThat(AcceptedRegressions.read(file).unmatched(comparison(Change.SLOWER)))
                .containsExactly("org.example.Work.run a=10 b=#2 (avgt)");
    }

    @Test
    void noOtherVerdictAndNoOtherRowChanges() throws IOException {
        assertThat(after(LINE, Change.FASTER, "2026-12-31").note()).isEqualTo("one note");
        String other = LINE.replace("a=1", "a=10");
        assertThat(after(other, Change.SLOWER, "2026-12-31").verdict()).isEqualTo(Change.SLOWER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"org.example.Work.run (avgt) # why", "2026-13-01  X.y (avgt)  # why", "2026-12-31  X.y (avgt) #"
            })
    void aLineOfAnotherFormIsRefused(String line) {
        assertThatThrownBy(() -> after("\n" + line, Change.SLOWER, "2026-12-31"))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageEndingWith(
                        "line 2: expected a date, a benchmark's name and why: 2026-12-31 NAME (MODE) # WHY");
    }
}
