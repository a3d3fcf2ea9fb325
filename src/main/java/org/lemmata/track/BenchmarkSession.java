package org.lemmata.track;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How the forks of one file of results were run.
 *
 * @param id the same for the two sides of one run whose forks ran beside each other: row i of one ran beside row i of
 *     the other, and fork j of it beside fork j
 * @param side "A" or "B"; "A" where there is one side
 * @param against what the other side is: a jar, a commit, a benchmark, "itself"; empty where there is one side
 * @param jar the hash of the classes that ran
 * @param forks when each fork ran and what else the machine did, in the order of the run
 */
public record BenchmarkSession(String id, String side, String against, String jar, List<ForkRun> forks) {

    public BenchmarkSession {
        forks = List.copyOf(forks);
    }

    /**
     * The circumstances of a row's forks, in their order. A row may stand several times in the results, each time with
     * forks of its own.
     *
     * @param rows of the results of this session
     * @param place of the row
     */
    List<ForkRun> runs(List<BenchmarkRow> rows, int place) {
        BenchmarkRow row = rows.get(place);
        int before = rows.subList(0, place).stream()
                .filter(other -> other.key().equals(row.key()))
                .mapToInt(other -> other.samples().size())
                .sum();
        return forks.stream()
                .filter(fork -> fork.row().equals(row.cell()))
                .skip(before)
                .limit(row.samples().size())
                .toList();
    }

    void writeTo(ObjectNode node) {
        node.put("id", id);
        node.put("side", side);
        node.put("against", against);
        node.put("jar", jar);
        ArrayNode array = node.putArray("forks");
        for (ForkRun fork : forks) {
            fork.writeTo(array.addObject());
        }
    }

    static BenchmarkSession of(JsonValue value) throws IOException {
        var forks = new ArrayList<ForkRun>();
        for (JsonValue fork : value.field("forks").elements()) {
            forks.add(ForkRun.of(fork));
        }
        return new BenchmarkSession(
                value.field("id").text(),
                value.field("side").text(),
                value.field("against").text(),
                value.field("jar").text(),
                forks);
    }
}
