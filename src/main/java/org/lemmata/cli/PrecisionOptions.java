package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Computation;
import org.lemmata.experiment.PrecisionReader;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import picocli.CommandLine.Option;

/** Options for rounding, for {@code @Mixin}. */
final class PrecisionOptions {

    static final String FORCE = "--force";

    static final String FORCE_TEXT = "Run formats that are too narrow for a construction, and watch it fail.";

    @Option(names = "--format", description = "Round every tensor to a number format (docs/precision.md), or to none.")
    private @Nullable String format;

    @Option(names = "--sums", description = "Also round every product and every addition to the format.")
    private boolean sums;

    @Option(names = "--mode", description = "The rounding mode (default: TiesToEven).")
    private @Nullable String mode;

    @Option(
            names = "--precision",
            paramLabel = "FILE",
            description = "Read a policy file with the keys of the section precision (docs/training.md), instead of "
                    + "--format, --sums and --mode.")
    private @Nullable Path file;

    /**
     * The computation for running constructions.
     *
     * @param force whether to accept a format that is too narrow
     * @throws IllegalArgumentException as for {@link #policy}, or if {@code force} is set without a format
     * @throws IOException if the policy file cannot be read
     */
    Computation computation(Kernels kernels, boolean force) throws IOException {
        var computation = new Computation(kernels, policy(), force);
        Refuse.when(force && !computation.isRounded(), FORCE, "a --format or --precision to run in", "none");
        return computation;
    }

    /**
     * The requested policy; empty if no option is given.
     *
     * @throws IllegalArgumentException if options contradict each other, or a name is unknown
     * @throws IOException if the policy file cannot be read
     */
    Optional<PrecisionPolicy> policy() throws IOException {
        Optional<Path> policyFile = file();
        if (policyFile.isPresent()) {
            return Optional.of(PrecisionReader.read(policyFile.get()));
        }
        if (format == null) {
            if (sums || mode != null) {
                throw new IllegalArgumentException((sums ? "--sums" : "--mode") + ": expected a --format to round "
                        + (sums ? "sums to" : "to in this mode") + ", got none");
            }
            return Optional.empty();
        }
        if (format.equals("none") && !sums && mode == null) {
            return Optional.of(PrecisionPolicy.none());
        }
        Rounding.Mode parsed = mode == null ? Rounding.Mode.TIES_TO_EVEN : Rounding.Mode.parse(mode);
        TensorRounding rounding = TensorRounding.parse(format, parsed, true, false);
        PrecisionPolicy tensors = PrecisionPolicy.tensors(rounding);
        if (!sums) {
            return Optional.of(tensors);
        }
        if (rounding instanceof Rounding elementwise) {
            return Optional.of(PrecisionPolicy.everything(elementwise));
        }
        throw new IllegalArgumentException(
                "--sums: expected a --format whose numbers share no scale, got " + rounding.label());
    }

    /**
     * The policy file, if given.
     *
     * @throws IllegalArgumentException if another option is also given
     */
    Optional<Path> file() {
        List<String> others = overrides();
        Refuse.when(
                file != null && !others.isEmpty(),
                "--precision",
                "no --format, --sums or --mode with it",
                String.join(", ", others));
        return Optional.ofNullable(file);
    }

    /** The options except {@code --precision}, as overrides for the section {@code precision} of a configuration. */
    List<String> overrides() {
        return Stream.of(
                        format == null ? "" : "precision.format=" + format,
                        sums ? "precision.sums=true" : "",
                        mode == null ? "" : "precision.mode=" + mode)
                .filter(override -> !override.isEmpty())
                .toList();
    }
}
