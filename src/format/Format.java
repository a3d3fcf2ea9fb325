import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Says which source files are not formatted, and formats them if told to. Maven runs this file as it is, see pom.xml.
 *
 * <p>Arguments: {@code check} or {@code write}, the formatter's version, and a directory of sources. The hashes of
 * formatted files are kept in target/formatted, so that only changed files cost time. What is left to do goes to
 * standard error and to target/unformatted: where that exists, Maven stops in one line, and without a stack trace.
 */
final class Format {

    private static final int COLUMNS = 120;
    private static final int NAMED = 20;
    private static final String COMMAND = "mvn validate -Dformat=write";
    private static final Path MEMORY = Path.of("target", "formatted");
    private static final Path FAILURE = Path.of("target", "unformatted");

    private final Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(true)
            .build());
    private final boolean write;
    private final String version;
    private final Set<String> known;
    private final Set<String> formatted = ConcurrentHashMap.newKeySet();
    private final Set<String> unformatted = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    private Format(boolean write, String version, Set<String> known) {
        this.write = write;
        this.version = version;
        this.known = known;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 3 || !(args[0].equals("check") || args[0].equals("write"))) {
            System.err.println("-Dformat: expected check or write, got " + String.join(" ", args));
            System.exit(2);
        }
        Set<String> known = Files.exists(MEMORY) ? new HashSet<>(Files.readAllLines(MEMORY)) : Set.of();
        Format format = new Format(args[0].equals("write"), args[1], known);
        try (Stream<Path> files = Files.walk(Path.of(args[2]))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            sources.parallelStream().forEach(format::visit);
        }
        Files.createDirectories(MEMORY.getParent());
        Files.write(MEMORY, new TreeSet<>(format.formatted));
        List<String> failures = format.failures();
        if (failures.isEmpty()) {
            Files.deleteIfExists(FAILURE);
        } else {
            failures.forEach(System.err::println);
            Files.write(FAILURE, failures);
        }
    }

    private void visit(Path file) {
        try {
            String given = Files.readString(file);
            String hash = hash(given);
            if (known.contains(hash)) {
                formatted.add(hash);
                return;
            }
            String wanted = formatter.formatSourceAndFixImports(given);
            if (!wanted.equals(given)) {
                if (!write) {
                    unformatted.add(file.toString());
                    return;
                }
                Files.writeString(file, wanted);
            }
            int line = tooLong(wanted);
            if (line > 0) {
                refused.add(file + ":" + line + ": longer than " + COLUMNS + " columns, to be wrapped by hand");
            } else {
                formatted.add(hash(wanted));
            }
        } catch (FormatterException e) {
            refused.add(file + ":" + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The number of the first line that is too long, or 0. What stands in a text block is as long as it has to be. */
    private static int tooLong(String source) {
        boolean text = false;
        int number = 0;
        for (String line : source.split("\n")) {
            number++;
            if (!text && line.codePointCount(0, line.length()) > COLUMNS) {
                return number;
            }
            if ((line.split("\"\"\"", -1).length - 1) % 2 == 1) {
                text = !text;
            }
        }
        return 0;
    }

    private String hash(String source) {
        try {
            byte[] bytes = (version + "\n" + source).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is left to do, a line each. */
    private List<String> failures() {
        List<String> failures = new ArrayList<>(new TreeSet<>(refused));
        if (!unformatted.isEmpty()) {
            List<String> names = unformatted.stream().sorted().limit(NAMED).toList();
            int others = unformatted.size() - names.size();
            failures.add("Not formatted: " + String.join(", ", names) + (others > 0 ? " and " + others + " more" : "")
                    + ". To format all files: " + COMMAND);
        }
        return failures;
    }
}
