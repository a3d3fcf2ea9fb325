package org.lemmata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links between documents have targets, and classes that docs/extending.md names in backticks exist. */
class DocumentsTest {

    private static final Path EXTENDING = Path.of("docs/extending.md");

    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** A class, perhaps with its package before it and a member after it. */
    private static final Pattern TYPE =
            Pattern.compile("((?:[a-z]\\w*\\.)*)([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:\\(\\))?");

    private static final List<Path> SOURCES = List.of(
            Path.of("src/main/java/org/lemmata"),
            Path.of("src/test/java/org/lemmata"),
            Path.of("src/jmh/java/org/lemmata"));

    private static final List<Path> DOCUMENTS = List.of(
            Path.of("README.md"),
            Path.of("CHANGELOG.md"),
            Path.of("CONTRIBUTING.md"),
            Path.of("SECURITY.md"),
            Path.of("docs"),
            Path.of("jmh-results"));

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    private static final List<String> JAVA = List.of("java.lang.", "java.util.random.");

    @Test
    void everyClassThatItNamesExists() throws IOException {
        List<String> names = quoted(Files.readString(EXTENDING));
        assertThat(names.stream().filter(name -> TYPE.matcher(name).matches())).hasSizeGreaterThan(100);
        assertThat(names.stream().filter(DocumentsTest::isWrongClass)).isEmpty();
    }

    @Test
    void everyFileThatItNamesExists() throws IOException {
        List<String> files = quoted(Files.readString(EXTENDING)).stream()
                .filter(name -> name.matches("[\\w./-]+/[\\w./-]+"))
                .toList();
        assertThat(files).hasSizeGreaterThan(3);
        assertThat(files).allMatch(DocumentsTest::isFile);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"MatMull", "kernel.softmax.MatMul", "Claims.COUNT", "model.Nothing", "ForwardPass.nowhere()"})
    void aWrongNameIsSeen(String name) {
        assertThat(isWrongClass(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"A batch to its gradient", "A claim to the page"})
    void aWalkNamesEachClassOnce(String walk) throws IOException {
        String text = Files.readString(EXTENDING);
        int begin = text.indexOf("## " + walk);
        assertThat(begin).isPositive();
        assertThat(quoted(text.substring(begin, text.indexOf("\n## ", begin))))
                .hasSizeGreaterThan(15)
                .doesNotHaveDuplicates();
    }

    static Stream<Path> documents() throws IOException {
        var files = new ArrayList<Path>();
        for (Path root : DOCUMENTS) {
            try (Stream<Path> below = Files.walk(root)) {
                below.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
            }
        }
        return files.stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyLinkLeadsSomewhere(Path file) throws IOException {
        List<String> broken = LINK.matcher(Files.readString(file))
                .results()
                .filter(link -> !link.group(1).startsWith("http") && !leads(file, link.group(1), link.group(2)))
                .map(MatchResult::group)
                .toList();
        assertThat(broken).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "training.md, freeze-parameters, true",
        "training.md, no-key, false",
        "nothing.md,, false",
        "'', nowhere, false"
    })
    void aBrokenLinkIsSeen(String target, @Nullable String anchor, boolean leads) throws IOException {
        assertThat(leads(EXTENDING, target, anchor)).isEqualTo(leads);
    }

    /** Whether the target of a link in {@code file} exists, with a heading for the anchor if there is one. */
    private static boolean leads(Path file, String target, @Nullable String anchor) {
        Path to = target.isEmpty() ? file : file.resolveSibling(target);
        try {
            return Files.exists(to)
                    && (anchor == null
                            || HEADING.matcher(Files.readString(to))
                                    .results()
                                    .anyMatch(
                                            heading -> anchor(heading.group(1)).equals(anchor)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static List<String> quoted(String text) {
        return QUOTED.matcher(text).results().map(quote -> quote.group(1)).toList();
    }

    private static boolean isFile(String name) {
        return Stream.of("", "src/main/resources", "src/spark/resources")
                .anyMatch(root -> Files.exists(Path.of(root, name)));
    }

    /** Whether a name has the form of a class, with or without package and member, but there is no such class. */
    private static boolean isWrongClass(String name) {
        var matcher = TYPE.matcher(name);
        if (!matcher.matches() || isOfJava(matcher.group(2))) {
            return false;
        }
        String directory =
                matcher.group(1).replaceFirst("^org\\.lemmata\\.", "").replace('.', '/');
        String member = matcher.group(3);
        return declaring(directory, matcher.group(2)).stream()
                .noneMatch(source -> member == null || source.matches("(?s).*\\b" + member + "\\b.*"));
    }

    private static boolean isOfJava(String name) {
        return JAVA.stream().anyMatch(start -> {
            try {
                Class.forName(start + name);
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }

    /** The texts of the source files with this name; in all packages if {@code directory} is empty. */
    private static Set<String> declaring(String directory, String name) {
        var found = new LinkedHashSet<String>();
        for (Path root : SOURCES) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.toList()) {
                    if (file.endsWith(Path.of(directory, name + ".java"))
                            && (directory.isEmpty() || file.equals(root.resolve(directory, name + ".java")))) {
                        found.add(Files.readString(file));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }
}
