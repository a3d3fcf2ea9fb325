package org.lemmata.cli;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lemmata.construct.Construction;
import org.lemmata.construct.Constructions;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LimitNorm;
import org.lemmata.construct.length.LogitMargin;

/**
 * What theorem 4.1 of Izzo, Nichani and Lee (2025) asks of f or of g.
 *
 * @param name as it was given
 * @param tokens |Sigma|
 * @param period Delta
 * @param locality tau
 * @param bits p
 * @param printedMargin gamma over the distances 0 to tau alone
 * @param margin gamma over all distances
 * @param factors of L; empty where L was given
 * @param printedNorm L as printed
 * @param norm L
 */
record BoundFunction(
        String name,
        int tokens,
        int period,
        int locality,
        int bits,
        double printedMargin,
        double margin,
        Optional<LimitNorm> factors,
        double printedNorm,
        double norm) {

    /** A construction by its name and settings. */
    record Built(String name, Construction construction, LimitFunction function) {

        /**
         * Builds it.
         *
         * @throws IllegalArgumentException if there is none, or it is no limit transformer of one layer
         */
        static Built of(String name, Map<String, String> settings) {
            Construction construction =
                    Constructions.CATALOGUE.entry(name).create(settings).construction();
            String given = settings.entrySet().stream()
                    .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining());
            try {
                return new Built(name + given, construction, LimitFunction.of(construction.build()));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("construction: expected a limit transformer of one layer, such as"
                        + " simple-task or mod-p-task, got " + name + "; " + e.getMessage());
            }
        }
    }

    static BoundFunction of(Built built) {
        LimitAttention attention = built.function().attention();
        LimitNorm factors = built.function().factors();
        return new BoundFunction(
                built.name(),
                attention.tokens(),
                attention.period(),
                attention.locality(),
                attention.bits(),
                LogitMargin.printed(attention),
                LogitMargin.corrected(attention),
                Optional.of(factors),
                factors.printed(),
                factors.corrected());
    }

    /** 2^(p / gamma), gamma as printed. */
    long printedHardmaxLength() {
        return LogitMargin.hardmaxLength(bits, printedMargin);
    }

    /** H = 2^(p / gamma). */
    long hardmaxLength() {
        return LogitMargin.hardmaxLength(bits, margin);
    }
}
