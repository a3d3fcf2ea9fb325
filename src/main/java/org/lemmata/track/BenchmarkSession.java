package org.lemmata.track;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How the forks of one file of results were run.
 *
 * @param id the same for the two sides of one run whose forks alternated: row i of one ran beside row i of the other,
 *     and fork j of it beside fork j
 * @param side "A" or "B"; "A" where there is one side
 * @param against what the other side is: a jar, a commit, a benchmark, "itself"; empty where there is one side
 * @param jar the hash of the classes that ran
 * @param forks when each fork ran and what else the machine did, in the order of the run
 */
public record BenchmarkSession(String id, String side, String against, String jar, List<ForkRun> forks) {

    /**
     * The circumstances of one fork.
     *
     * @param row the benchmark with its parameters, as {@link BenchmarkRow#key} without the mode
     * @param fork from 0
     * @param seconds from the start of its processes to their end
     * @param busy the share of all cores that were at work meanwhile, this fork's work included; NaN where it is not
     *     known
     * @param stolen the share that the hypervisor gave to others; NaN where it is not known
     */
    public record ForkRun(String row, int fork, Instant start, double seconds, double busy, double stolen) {}

    public BenchmarkSession {
        forks = List.copyOf(forks);
    }

    void writeTo(ObjectNode node) {
        node.put("id", id);
        node.put("side", side);
        node.put("against", against);
        node.put("jar", jar);
        ArrayNode array = node.putArray("forks");
        for (ForkRun fork : forks) {
            ObjectNode each = array.addObject();
            each.put("row", fork.row);
            each.put("fork", fork.fork);
            each.put("start", fork.start.toString());
            each.put("seconds", fork.seconds);
            each.put("busy", fork.busy);
            each.put("stolen", fork.stolen);
        }
    }

    static BenchmarkSession of(JsonValue value) throws IOException {
        var forks = new ArrayList<ForkRun>();
        for (JsonValue fork : value.field("forks").elements()) {
            forks.add(new ForkRun(
                    fork.field("row").text(),
                    fork.field("fork").count(),
                    RunRecord.instant(fork.field("start")),
                    fork.field("seconds").number(),
                    fork.field("busy").number(),
                    fork.field("stolen").number()));
        }
        return new BenchmarkSession(
                value.field("id").text(),
                value.field("side").text(),
                value.field("against").text(),
                value.field("jar").text(),
                forks);
    }
}
