package org.lemmata.report.export;

import java.util.TreeMap;
import org.lemmata.report.Tracking;

/** What a row is called outside of Lemmata, the same from run to run. */
final class MetricName {

    private MetricName() {}

    /**
     * {@code org.lemmata.X.vector columns=1024 rows=8 (thrpt)}: parameters by name, as JMH's order is not part of the
     * key.
     */
    static String of(Tracking.RowKey key) {
        var name = new StringBuilder(key.benchmark());
        new TreeMap<>(key.params())
                .forEach((parameter, value) ->
                        name.append(' ').append(parameter).append('=').append(value));
        return name.append(" (").append(key.mode()).append(')').toString();
    }

    /** For messages. */
    static String oneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ").strip();
    }
}
