package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;

/**
 * docs/page.png shows the current page: the structure of the page is recorded together with the digest of the picture.
 * If they differ, take a new picture (docs/regression.md), then run {@code mvn test -Dtest=PagePictureTest
 * -Dlemmata.pictures.record=true}.
 */
class PagePictureTest {

    private static final Path PICTURE = Path.of("docs/page.png");

    private static final Path RECORD = Path.of("src/test/resources/org/lemmata/report/page-structure.txt");

    /** Each kind of element outside of plots under its parent, once, and the links. */
    private static List<String> structure(Document page) {
        Stream<String> kinds = page.select("header.top *, #overview *, #changes *, #figures *").stream()
                .filter(element -> element.closest("svg") == null)
                .map(element -> kind(Objects.requireNonNull(element.parent())) + " > " + kind(element))
                .distinct();
        return Stream.concat(kinds, page.select("nav a").eachText().stream()).toList();
    }

    private static String kind(Element element) {
        return element.classNames().stream()
                .filter(name -> !List.of("supported", "refuted", "inconclusive", "untested")
                        .contains(name))
                .map(name -> "." + name)
                .collect(Collectors.joining("", element.tagName(), ""));
    }

    private static String digest() throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(PICTURE)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Test
    void thePictureShowsWhatAPageIsMadeOf() throws Exception {
        List<String> structure = structure(Jsoup.parse(Report.html(DemoInput.everything())));
        assertThat(structure).hasSizeGreaterThan(40);
        List<String> recorded = Files.exists(RECORD) ? Files.readAllLines(RECORD) : List.of("");
        String digest = digest();
        boolean isNew = !recorded.getFirst().equals(digest);
        List<String> now = Stream.concat(Stream.of(digest), structure.stream()).toList();
        if (isNew && Boolean.getBoolean("lemmata.pictures.record")) {
            Files.write(RECORD, now);
            return;
        }
        assertThat(recorded).as("take docs/page.png anew: docs/regression.md").isEqualTo(now);
    }
}
