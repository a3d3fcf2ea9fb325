package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.number.ThresholdFormat;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;

/** Reads the section {@code precision} of a training configuration, or a policy file with the same keys. */
public final class PrecisionReader {

    public static final Section SECTION =
            Section.of("precision", Setting.table("""
                format | none | number format of every tensor in a forward pass, or `none`
                sums | false | whether every product and every addition of a sum is also rounded to `format`
                mode | TiesToEven | `TiesToEven`, `TiesToAway`, `TowardZero`, `TowardPositive`, `TowardNegative`,
                  `ToOdd` or `Stochastic`; not for `threshold`
                subnormals | true | whether numbers below the smallest normal number are kept or become 0; only for
                  float formats
                saturate | false | whether overflow gives the largest number of the format; only for float formats
                seed | 1 | random seed of `Stochastic`; the random words also depend on the site, layer and step
                loss-scale | 1 | power of two that multiplies the loss; gradients are divided by it before the step
                """), Section.named("sites", Setting.table("""
                    format | | the format of one site; by default `format` above. Short form: `scores: binary32`
                    mode | | by default `mode` above
                    subnormals | | by default `subnormals` above
                    saturate | | by default `saturate` above
                    """)));

    private static final String NONE = "none";
    private static final String EXPECTED = "a number format or " + NONE;

    private PrecisionReader() {}

    /**
     * Reads a policy file.
     *
     * @throws IllegalArgumentException if a value is not legal; the message is one line that names the place
     * @throws IOException if the file cannot be read
     */
    public static PrecisionPolicy read(Path file) throws IOException {
        Configuration section = Configuration.read(file, List.of(), SECTION);
        PrecisionPolicy policy = read(section);
        section.requireAllRead();
        return policy;
    }

    /** Reads a section. An empty section rounds nothing. */
    static PrecisionPolicy read(Configuration section) {
        String format = section.text("format", EXPECTED);
        Map<String, Configuration> sites = section.named("sites");
        boolean rounds = !format.equals(NONE);
        PrecisionPolicy policy = PrecisionPolicy.none();
        // Keys without effect are not read and therefore rejected if given.
        Rounding.Mode mode = Rounding.Mode.TIES_TO_EVEN;
        boolean subnormals = true;
        boolean saturate = false;
        NumberFormat elements = rounds ? elementFormat(section, format) : null;
        if (!sites.isEmpty() || (rounds && !(elements instanceof ThresholdFormat))) {
            mode = mode(section, mode);
        }
        if (!sites.isEmpty() || elements instanceof FloatFormat) {
            subnormals = section.flag("subnormals");
            saturate = section.flag("saturate");
        }
        if (rounds) {
            TensorRounding rounding = rounding(section, format, mode, subnormals, saturate);
            policy = PrecisionPolicy.tensors(rounding);
            if (section.flag("sums")) {
                PrecisionPolicy tensors = policy;
                policy = section.checked("sums", () -> tensors.with(PrecisionSite.SUMS, rounding));
            }
        } else if (section.isGiven("sums") && section.flag("sums")) {
            throw section.refusal("sums", "expected a format to round sums to, got none");
        }
        for (Map.Entry<String, Configuration> entry : sites.entrySet()) {
            PrecisionSite site = section.checked("sites", () -> PrecisionSite.parse(entry.getKey()));
            policy = with(policy, site, entry.getValue(), format, mode, subnormals, saturate);
        }
        if (policy.isStochastic()) {
            policy = policy.withSeed(section.seed("seed"));
        }
        PrecisionPolicy whole = policy;
        return section.checked("loss-scale", () -> whole.withLossScale(section.get("loss-scale", ValueType.POSITIVE)));
    }

    private static PrecisionPolicy with(
            PrecisionPolicy policy,
            PrecisionSite site,
            Configuration section,
            String commonFormat,
            Rounding.Mode commonMode,
            boolean commonSubnormals,
            boolean commonSaturate) {
        String format = section.get("format", ValueType.text(EXPECTED), () -> commonFormat);
        if (format.equals(NONE)) {
            return policy.without(site);
        }
        NumberFormat elements = elementFormat(section, format);
        boolean isFloat = elements instanceof FloatFormat;
        TensorRounding rounding = rounding(
                section,
                format,
                elements instanceof ThresholdFormat ? Rounding.Mode.TIES_TO_EVEN : mode(section, commonMode),
                !isFloat || section.get("subnormals", ValueType.flag(), () -> commonSubnormals),
                isFloat && section.get("saturate", ValueType.flag(), () -> commonSaturate));
        return section.checked("format", () -> policy.with(site, rounding));
    }

    private static Rounding.Mode mode(Configuration section, Rounding.Mode common) {
        return section.checked(
                "mode",
                () -> Rounding.Mode.parse(section.get("mode", ValueType.text("a rounding mode"), common::label)));
    }

    private static TensorRounding rounding(
            Configuration section, String format, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        return section.checked("format", () -> TensorRounding.parse(format, mode, subnormals, saturate));
    }

    /** The format of the elements; null for a block format. */
    private static @Nullable NumberFormat elementFormat(Configuration section, String format) {
        return rounding(section, format, Rounding.Mode.TIES_TO_EVEN, true, false) instanceof Rounding elementwise
                ? elementwise.format()
                : null;
    }
}
