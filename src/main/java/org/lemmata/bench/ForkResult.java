package org.lemmata.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * What one fork left.
 *
 * @param rows as JMH wrote them: one for each mode
 * @param start when its process was started
 * @param seconds until its end
 * @param busy the share of all cores at work meanwhile; NaN where it is not known
 * @param stolen the share that the hypervisor gave to others
 */
record ForkResult(List<JsonNode> rows, Instant start, double seconds, double busy, double stolen) {

    ForkResult {
        rows = List.copyOf(rows);
    }
}
