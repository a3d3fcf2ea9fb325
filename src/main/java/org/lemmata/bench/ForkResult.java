package org.lemmata.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.lemmata.track.ForkRun;

/**
 * What one fork left.
 *
 * @param rows as JMH wrote them: one for each mode
 * @param run its circumstances
 */
record ForkResult(List<JsonNode> rows, ForkRun run) {

    ForkResult {
        rows = List.copyOf(rows);
    }
}
