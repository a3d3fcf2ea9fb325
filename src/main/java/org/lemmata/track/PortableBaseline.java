package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The results that all machines with vectors of one width and number of registers are held against:
 * {@code simd-512.json} and its run record.
 */
public final class PortableBaseline {

    /** "SIMD, 512-bit species (16 lanes)". */
    private static final Pattern BITS = Pattern.compile("(\\d+)[- ]bits?\\b");

    /** Said where vectors narrower than 512 bits have them. */
    private static final String REGISTERS = ", 32 registers";

    private PortableBaseline() {}

    /** "512", "256" or "256-32-registers": the vectors that a machine's run used; empty if it used none. */
    static String vectors(MachineIdentity machine) {
        Matcher bits = BITS.matcher(machine.simd());
        return bits.find() ? bits.group(1) + (machine.simd().endsWith(REGISTERS) ? "-32-registers" : "") : "";
    }

    /**
     * Where the baseline of a machine lies, whether it is there or not; empty for a machine without vectors.
     *
     * @param directory of the portable baselines, {@code jmh-results/portable}
     */
    public static Optional<Path> file(Path directory, MachineIdentity machine) {
        String vectors = vectors(machine);
        return vectors.isEmpty() ? Optional.empty() : Optional.of(directory.resolve("simd-" + vectors + ".json"));
    }

    /**
     * Compares results with the baseline of their vector width.
     *
     * @param results of JMH, with their run record beside them
     * @return refused if there is no such baseline, with the reason
     * @throws IOException if a file that is there, or the results, cannot be read
     */
    public static PortableComparison compare(Path results, Path directory) throws IOException {
        RunRecord record = RunRecord.read(RunRecord.beside(results));
        Optional<Path> baseline = file(directory, record.machine());
        if (baseline.isEmpty()) {
            return PortableComparison.refused("vectors: expected those of a baseline, got "
                    + record.machine().simd());
        }
        if (!Files.exists(baseline.get())) {
            return PortableComparison.refused("portable baseline: expected " + baseline.get() + ", got none; "
                    + directory.resolve("README.md") + " tells how to make one");
        }
        return PortableComparison.of(
                baseline.get().toString(),
                JmhResults.read(results),
                record,
                JmhResults.read(baseline.get()),
                RunRecord.read(RunRecord.beside(baseline.get())));
    }
}
