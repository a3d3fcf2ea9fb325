package org.lemmata.number;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How a tensor is rounded: element by element, or in blocks of a row that share a scale. */
public sealed interface TensorRounding permits Rounding, BlockRounding {

    /** A name for people. */
    String label();

    /** Whether results depend on random words. */
    boolean isStochastic();

    /** The names that {@link #parse} accepts, as they are shown to a user. */
    List<String> NAMES = Stream.concat(
                    NumberFormat.names().stream(), BlockFormat.NAMED.stream().map(BlockFormat::name))
            .toList();

    /**
     * The rounding to a format of that name.
     *
     * @param subnormals as in {@link Rounding}; block formats always have theirs
     * @param saturate as in {@link Rounding}; blocks are scaled such that they saturate, or need not
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
