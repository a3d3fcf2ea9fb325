package org.lemmata.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claims;
import org.lemmata.cli.CommandLineRun;
import org.lemmata.cli.ExamplesTest;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.CellRun;
import org.lemmata.sweep.Keep;

/** Bits of trained weights and measurements, for every example and one cell of each figure at reduced sizes. */
class TrainingBitsTest {

    private static final String WEIGHTS = "weights.safetensors";

    /** Overrides for cells that train longer than a second: only the first steps. */
    private static final List<String> FIRST_STEPS = List.of("base.steps=20", "base.schedule.warm-up=4");

    /** {@link #FIRST_STEPS} for a grid in which each model has its own number of steps. */
    private static final String ITS_STEPS = "zip.0.steps=[20, 20, 20, 20, 20]";

    @TempDir
    private Path directory;

    @Test
    @Tag("long")
    void bitsAreThoseRecorded() throws IOException {
        Recording.check("training", recording -> {
            for (Path example : ExamplesTest.examples().toList()) {
                example(recording, "two steps of " + example.getFileName(), example);
            }
            example(
                    recording,
                    "two steps with everything rounded at random",
                    Path.of("docs/examples/depth-quick-bfloat16.yaml"),
                    "model.layers=1",
                    "model.width=16",
                    "model.feed-forward.hidden=32",
                    "precision.mode=Stochastic",
                    "precision.sums=true",
                    "precision.sites.master-weights=bfloat16",
                    "precision.sites.optimizer-state=bfloat16");
            // The whole cell takes at least 74 s.
            cell(recording, "depth.figure-1", 6, "base.evaluation.questions=20");
            // 2 layers, 4 heads and 16 columns.
            cell(recording, "depth.figure-3.left", 70);
            // The whole cell takes at least 18 s. It has the measurements of figures 4 and 5 and table 1.
            cell(recording, "depth.figure-3.right", 0, "base.evaluation.completions=64");
            // The whole cell takes 50 s; the second one has the measurements of figure 7.
            cell(recording, "depth.figure-6", 0, ITS_STEPS, "base.evaluation.completions=64");
            cell(recording, "depth.figure-6", 85, ITS_STEPS);
            cell(recording, "length.figure-1", 21);
            // Figure 3 has the same cells.
            cell(recording, "length.figure-2", 0);
            cell(recording, "length.comparison.simple-task", 7);
            cell(recording, "length.comparison.mod-p-task", 6);
            // The whole cell takes 4 s; the second one is the first with two layers.
            cell(recording, "length.comparison.dyck-words", 0, "base.evaluation.completions=64");
            cell(recording, "length.comparison.simple-task", 16, "base.evaluation.sequences=64");
        });
    }

    private void example(Recording recording, String name, Path example, String... overrides) throws IOException {
        Path run = directory.resolve(name);
        List<String> words = new ArrayList<>(List.of(ExamplesTest.words(example, run)));
        words.addAll(List.of(overrides));
        CommandLineRun.of(words.toArray(String[]::new)).clean();
        recording.add(name, weights(run));
    }

    /**
     * Adds the measurements and the weights of a cell.
     *
     * @param number the index of the cell in its grid
     * @param smaller overrides that make the cell smaller; only its first steps are then run. Without overrides, the
     *     cell is that of its figure
     */
    private void cell(Recording recording, String figure, int number, String... smaller) throws IOException {
        boolean whole = smaller.length == 0;
        List<String> overrides = new ArrayList<>(whole ? List.of() : FIRST_STEPS);
        if (List.of(smaller).contains(ITS_STEPS)) {
            overrides.removeFirst();
        }
        overrides.addAll(List.of(smaller));
        Cell cell = Claims.grid(figure)
                .orElseThrow()
                .sweep(Budget.STANDARD.label(), overrides)
                .cells()
                .get(number);
        Path run = directory.resolve(figure + "-" + number);
        CellRun.Report report = CellRun.run(cell, new CellRun.Limits(1, 0, Keep.WEIGHTS), run, () -> false);
        assertThat(report.ending()).as("%s", report.trace()).isEqualTo(CellRun.Report.Ending.DONE);
        Bits bits = weights(run);
        for (Measurement measured : Objects.requireNonNull(report.record()).measurements()) {
            bits.add(
                    measured.value(),
                    measured.interval().low(),
                    measured.interval().high());
        }
        recording.add("cell " + number + " of " + figure + (whole ? "" : ", first steps"), bits);
    }

    /** The bits of the weights, without the header of the file. */
    private static Bits weights(Path run) throws IOException {
        ByteBuffer file =
                ByteBuffer.wrap(Files.readAllBytes(run.resolve(WEIGHTS))).order(ByteOrder.LITTLE_ENDIAN);
        long header = file.getLong();
        return new Bits().add(Arrays.copyOfRange(file.array(), Math.toIntExact(Long.BYTES + header), file.limit()));
    }
}
