package org.lemmata.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;

/** What a sweep would run, for people and for programs. */
record SweepPlanText(Sweep sweep) {

    void print(PrintWriter out, boolean json) {
        if (json) {
            Map<String, Object> plan = new LinkedHashMap<>();
            plan.put("trial", sweep.trial());
            plan.put("threads", sweep.threads());
            List<Map<String, Object>> cells =
                    sweep.cells().stream().map(SweepPlanText::object).toList();
            plan.put("cells", cells);
            out.println(Json.indented(plan));
            return;
        }
        for (Cell cell : sweep.cells()) {
            out.println(cell.id() + "  " + axes(cell));
        }
        out.println("sweep: " + sweep.cells().size() + " cells"
                + (sweep.duplicates() > 0 ? ", and " + sweep.duplicates() + " points that are the same as others" : ""));
    }

    static String axes(Cell cell) {
        var text = new StringBuilder();
        cell.axes().forEach((path, value) -> text.append(path).append('=').append(value).append(' '));
        return text.append("seed=").append(cell.seed()).toString();
    }

    private static Map<String, Object> object(Cell cell) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("cell", cell.id());
        object.put("axes", cell.axes());
        object.put("seed", cell.seed());
        object.put("settings", cell.settings());
        return object;
    }
}
