import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the archives of a release in target: one for any JDK 25, and one with a runtime of its own for this kind of
 * machine. Maven runs this file as it is, see the profile {@code release} in pom.xml.
 *
 * <p>Arguments: the version, and the time that all files get. Two runs make the same bytes, except for the JVM's caches
 * (AOTCache) in the second archive.
 */
final class Archive {

    /** What a user needs of the checkout. Examples are in docs. */
    private static final List<String> CHECKOUT =
            List.of("bin", "evidence", "docs", "README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE");

    /** Of the program, and of JMH: a user may run it on this runtime with {@code -jvm}. */
    private static final String MODULES =
            "java.base,java.logging,java.management,jdk.incubator.vector,jdk.management,jdk.unsupported";

    /** Libraries under the Apache License 2.0 without its text in their jars. */
    private static final Pattern APACHE =
            Pattern.compile("(ejml|fastutil|jspecify|logicng|picocli|snakeyaml)-[a-z0-9.-]*[.]jar");

    private static final Pattern LICENSE = Pattern.compile("(META-INF/)?(LICENSE|NOTICE|COPYING)(\\.\\w+)?");

    private static final Path TARGET = Path.of("target");
    private static final int BLOCK = 512;

    private final FileTime time;
    private final String name;
    private final Path root;

    private Archive(String version, Instant time) {
        this.time = FileTime.from(time);
        name = "lemmata-" + version;
        root = TARGET.resolve("release").resolve(name);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        new Archive(arguments[0], Instant.parse(arguments[1])).make();
    }

    private void make() throws IOException, InterruptedException {
        delete(root);
        for (String part : CHECKOUT) {
            copy(Path.of(part), root.resolve(part));
        }
        Files.walk(root.resolve("docs/examples"), 2)
                .filter(path -> path.endsWith("target"))
                .toList()
                .forEach(Archive::delete);
        Path program = Files.createDirectories(root.resolve("app"));
        copy(TARGET.resolve("lemmata.jar"), program.resolve("lemmata.jar"));
        copy(TARGET.resolve("lemmata-duet.jar"), program.resolve("lemmata-duet.jar"));
        try (var jar = new JarFile(TARGET.resolve("lemmata.jar").toFile())) {
            // Not all that is in target/lib: other profiles and earlier builds leave more there.
            for (String library : jar.getManifest()
                    .getMainAttributes()
                    .getValue(Attributes.Name.CLASS_PATH)
                    .split(" ")) {
                copy(TARGET.resolve(library), program.resolve(library));
            }
        }
        copy(TARGET.resolve("bom.json"), root.resolve("sbom.json"));
        licenses(program.resolve("lib"));
        setTimes();
        write(TARGET.resolve(name + ".tar.gz"));

        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(" ", "") + "-"
                + System.getProperty("os.arch").replace("amd64", "x86_64");
        jlink(root.resolve("runtime"));
        // The caches are made last: the JVM rejects a cache whose jars have another time.
        setTimes();
        start("lemmata.aot", "help", "round");
        // What the compiler learns of the models and of training is kept, too.
        start("lemmata-vector.aot", "verify", "depth.figure-3.left", "length.hardmax");
        setTimes();
        write(TARGET.resolve(name + "-" + system + ".tar.gz"));
    }

    private static void delete(Path path) {
        try (Stream<Path> all = Files.exists(path) ? Files.walk(path) : Stream.empty()) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new IllegalStateException("delete " + path, e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path copy = to.resolve(from.relativize(each).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(each, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** A file for each library: the license and notices in its jar, or those in src/release/licenses. */
    private void licenses(Path libraries) throws IOException {
        Path licenses = Files.createDirectories(root.resolve("licenses"));
        for (Path library : list(libraries)) {
            String jar = library.getFileName().toString();
            var text = new StringBuilder();
            try (var file = new JarFile(library.toFile())) {
                for (JarEntry entry : file.stream()
                        .filter(each -> LICENSE.matcher(each.getName()).matches())
                        .sorted(Comparator.comparing(JarEntry::getName))
                        .toList()) {
                    try (InputStream in = file.getInputStream(entry)) {
                        text.append(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                                .append('\n');
                    }
                }
            }
            if (text.isEmpty() && APACHE.matcher(jar).matches()) {
                text.append("Apache License 2.0: see LICENSE in the directory above.\n");
            }
            if (text.isEmpty()) {
                Optional<Path> kept = list(Path.of("src/release/licenses")).stream()
                        .filter(each ->
                                jar.startsWith(each.getFileName().toString().replace(".txt", "-")))
                        .findFirst();
                text.append(Files.readString(kept.orElseThrow(() -> new IllegalStateException(
                        jar + ": expected a license in the jar or in src/release/licenses, got none"))));
            }
            Files.writeString(licenses.resolve(jar.replace(".jar", ".txt")), text);
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static void jlink(Path runtime) {
        var errors = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        // Not compressed twice: the archive is, and the JVM starts faster. The plug-in would write other bytes each
        // time.
        int code = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new IllegalStateException("expected a JDK with jlink, got one without"))
                .run(
                        errors,
                        errors,
                        "--add-modules",
                        MODULES,
                        "--strip-java-debug-attributes",
                        "--no-header-files",
                        "--no-man-pages",
                        "--compress",
                        "zip-0",
                        "--disable-plugin",
                        "generate-jli-classes",
                        "--output",
                        runtime.toString());
        if (code != 0) {
            throw new IllegalStateException("jlink: expected exit code 0, got " + code);
        }
    }

    /** Runs a command with the options that bin/lemmata gives it, and keeps the JVM's cache of it. */
    private void start(String cache, String... words) throws IOException, InterruptedException {
        Path home = root.toAbsolutePath();
        var command = new ArrayList<>(List.of(
                home.resolve("runtime/bin/java").toString(),
                "-XX:AOTCacheOutput=" + home.resolve("app").resolve(cache),
                "-Xlog:aot=off",
                "-Xlog:cds=off",
                "-Djava.awt.headless=true"));
        if (cache.contains("vector")) {
            command.addAll(List.of("--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"));
        }
        command.addAll(List.of("-jar", home.resolve("app/lemmata.jar").toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(TARGET.resolve("release/start.txt").toFile())
                .start();
        int code = process.waitFor();
        if (code != 0 || !Files.exists(root.resolve("app").resolve(cache))) {
            throw new IllegalStateException(cache + ": expected exit code 0 and a cache, got exit code " + code
                    + "; see target/release/start.txt");
        }
    }

    private void setTimes() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!Files.isSymbolicLink(each)) {
                    Files.setLastModifiedTime(each, time);
                }
            }
        }
    }

    /** A tar file (ustar), sorted, with one owner and two modes. */
    private void write(Path archive) throws IOException {
        try (Stream<Path> all = Files.walk(root);
                OutputStream out = new BufferedOutputStream(
                        new GZIPOutputStream(Files.newOutputStream(archive), 1 << 16), 1 << 16)) {
            for (Path each : all.sorted().toList()) {
                entry(each, out);
            }
            out.write(new byte[2 * BLOCK]);
        }
        System.out.println(archive + ": " + Files.size(archive) + " bytes");
    }

    private void entry(Path file, OutputStream out) throws IOException {
        boolean directory = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
        boolean link = Files.isSymbolicLink(file);
        String path = name + "/" + root.relativize(file).toString().replace('\\', '/') + (directory ? "/" : "");
        int split = path.length() <= 100 ? -1 : path.lastIndexOf('/', Math.min(155, path.length() - 2));
        var header = new Header();
        header.text(0, 100, path.substring(split + 1));
        header.octal(100, 8, directory || Files.isExecutable(file) ? 0755 : 0644);
        header.octal(108, 8, 0);
        header.octal(116, 8, 0);
        long size = directory || link ? 0 : Files.size(file);
        header.octal(124, 12, size);
        header.octal(136, 12, time.toInstant().getEpochSecond());
        header.text(148, 8, "        ");
        header.text(156, 1, directory ? "5" : link ? "2" : "0");
        header.text(157, 100, link ? Files.readSymbolicLink(file).toString() : "");
        header.text(257, 8, "ustar\00000");
        header.text(265, 32, "root");
        header.text(297, 32, "root");
        header.text(345, 155, split < 0 ? "" : path.substring(0, split));
        header.octal(148, 7, header.sum());
        out.write(header.bytes);
        if (size > 0) {
            Files.copy(file, out);
            out.write(new byte[(int) (-size & (BLOCK - 1))]);
        }
    }

    private static final class Header {

        private final byte[] bytes = new byte[BLOCK];

        void text(int at, int length, String text) {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            if (encoded.length > length) {
                throw new IllegalStateException("expected at most " + length + " bytes, got " + text);
            }
            System.arraycopy(encoded, 0, bytes, at, encoded.length);
        }

        void octal(int at, int length, long number) {
            text(at, length, String.format(Locale.ROOT, "%0" + (length - 1) + "o", number) + "\0");
        }

        long sum() {
            long sum = 0;
            for (byte each : bytes) {
                sum += each & 0xff;
            }
            return sum;
        }
    }
}
