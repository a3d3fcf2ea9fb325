package org.lemmata.claim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.file.JsonValue;
import org.lemmata.file.Sha256;
import org.lemmata.track.Evidence;

/**
 * The verdicts of the last recorded run, in {@code <paper>/verdicts.json} next to the evidence's cells. A verdict that
 * differs from its pin is an alarm. Only {@code verify --pin} writes the file; a digest detects manual edits.
 */
public final class PinnedVerdicts {

    private static final String FILE = "verdicts.json";
    private static final String EXPECTED = "pinned verdicts (verify --pin)";
    private static final String DIGEST = "sha256";

    private final Evidence evidence;

    /** For each paper, the outcomes by key: id, budget and size, with tabs between them. */
    private final Map<String, SortedMap<String, Outcome>> byPaper = new HashMap<>();

    public PinnedVerdicts(Evidence evidence) {
        this.evidence = evidence;
    }

    /**
     * Reads the pinned verdicts of the claims' papers.
     *
     * @throws IOException if a file is malformed or was altered; the message names the file, the place and the expected
     *     content
     */
    public void read(List<Claim> claims) throws IOException {
        for (Claim claim : claims) {
            ofPaper(Claims.paper(claim.id()));
        }
    }

    /** The result with the pinned outcome of the same claim, budget and size, if the result can be pinned. */
    public ClaimResult beside(ClaimResult result) throws IOException {
        ClaimResult.Tested tested = result.tested();
        return tested.isPinned()
                ? result.beside(ofPaper(result.paperKey()).get(key(result.id(), tested.budget(), tested.size())))
                : result;
    }

    /** Pins results, but none with rounding or a user's settings. Each replaces all pins of its claim and budget. */
    public void pin(List<ClaimResult> results) throws IOException {
        Set<String> papers = new LinkedHashSet<>();
        for (ClaimResult result : results) {
            if (result.tested().isPinned()) {
                String paper = result.paperKey();
                String ofAnySize = key(result.id(), result.tested().budget(), "");
                ofPaper(paper).keySet().removeIf(other -> other.startsWith(ofAnySize));
                ofPaper(paper).put(ofAnySize + result.tested().size(), result.outcome());
                papers.add(paper);
            }
        }
        for (String paper : papers) {
            AtomicFile.write(file(paper), text(ofPaper(paper)));
        }
    }

    private static String key(String id, Budget budget, String size) {
        return String.join("\t", id, budget.label(), size);
    }

    private Path file(String paper) {
        return evidence.directory(paper).resolve(FILE);
    }

    private SortedMap<String, Outcome> ofPaper(String paper) throws IOException {
        SortedMap<String, Outcome> known = byPaper.get(paper);
        if (known == null) {
            Path file = file(paper);
            known = Files.exists(file) ? read(file) : new TreeMap<>();
            byPaper.put(paper, known);
        }
        return known;
    }

    private static SortedMap<String, Outcome> read(Path file) throws IOException {
        JsonValue root = JsonValue.read(file, EXPECTED);
        SortedMap<String, Outcome> pins = new TreeMap<>();
        for (JsonValue pin : root.field("verdicts").elements()) {
            Budget budget = ClaimResults.one(pin.field("budget"), Budget.values(), Budget::label);
            String key = key(pin.field("id").text(), budget, pin.field("size").text());
            pins.put(key, ClaimResults.outcome(pin.field("verdict")));
        }
        JsonValue digest = root.field(DIGEST);
        if (!digest.text().equals(digest(pins))) {
            throw digest.unexpected("the digest of the verdicts, which only verify --pin writes, " + digest(pins));
        }
        return pins;
    }

    private static String text(SortedMap<String, Outcome> pins) {
        List<Map<String, Object>> verdicts = pins.entrySet().stream()
                .map(pin -> {
                    String[] key = pin.getKey().split("\t", 3);
                    String verdict = pin.getValue().label();
                    return Json.object("id", key[0], "budget", key[1], "size", key[2], "verdict", verdict);
                })
                .toList();
        return Json.indented(Json.object(DIGEST, digest(pins), "verdicts", verdicts)) + "\n";
    }

    private static String digest(SortedMap<String, Outcome> pins) {
        return Sha256.hex(
                pins.entrySet().stream()
                        .map(pin -> pin.getKey() + "\t" + pin.getValue().label() + "\n")
                        .collect(Collectors.joining()),
                64);
    }
}
