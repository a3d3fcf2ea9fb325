package org.lemmata.number;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A rounding of tensors: element by element, or in blocks of a row that share a scale. */
public sealed interface TensorRounding permits Rounding, BlockRounding {

    String label();

    /** Whether results depend on random words. */
    boolean isStochastic();

    /** The names that {@link #parse} accepts, as shown to users. */
    List<String> NAMES = Stream.concat(
                    NumberFormat.names().stream(), BlockFormat.NAMED.stream().map(BlockFormat::name))
            .toList();

    /**
     * The rounding to the format named {@code format}.
     *
     * @param subnormals as in {@link Rounding}; block formats always have subnormals
     * @param saturate as in {@link Rounding}; block formats always saturate
     * @throws IllegalArgumentException if there is no such format
     */
    static TensorRounding parse(String format, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        for (BlockFormat named : BlockFormat.NAMED) {
            if (named.name().equals(format)) {
                return new BlockRounding(named, mode);
            }
        }
        Optional<NumberFormat> found = NumberFormat.find(format);
        return new Rounding(found.orElseThrow(() -> NumberFormat.unknown(format, NAMES)), mode, subnormals, saturate);
    }
}
