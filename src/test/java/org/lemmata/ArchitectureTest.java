package org.lemmata;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each room (package) imports only the rooms and libraries that the table permits. */
class ArchitectureTest {

    private static final String ROOT = "org.lemmata.";

    private static final String VECTOR = "jdk.incubator.vector..";
    private static final String FASTUTIL = "it.unimi.dsi.fastutil..";
    private static final String JSON = "com.fasterxml.jackson..";

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.lemmata");

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages("org.lemmata");

    /**
     * A line of the table.
     *
     * @param name the package below the root; except for "kernel", the room includes all subpackages
     * @param rooms the rooms that it may import besides "argument"; "kernel" includes all subpackages of kernel
     * @param libraries the packages of libraries that it may import besides java.* and annotations
     */
    record Room(String name, List<String> rooms, List<String> libraries) {

        private static Room of(String name, List<String> rooms, String... libraries) {
            return new Room(name, rooms, List.of(libraries));
        }

        private boolean hasSubpackages() {
            return !name.equals("kernel");
        }

        boolean contains(JavaClass type) {
            String own = ROOT + name;
            return type.getPackageName().equals(own)
                    || (hasSubpackages() && type.getPackageName().startsWith(own + "."));
        }

        String ownPackage() {
            return ROOT + name + (hasSubpackages() ? ".." : "");
        }

        String[] mayImport() {
            List<String> packages = new ArrayList<>(List.of(
                    "java..",
                    "org.jspecify.annotations..",
                    "com.google.errorprone.annotations..",
                    ROOT + "argument..",
                    ownPackage()));
            rooms.forEach(room -> packages.add(ROOT + room + ".."));
            packages.addAll(libraries);
            return packages.toArray(String[]::new);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** The rooms that every operation may import. Kernel packages without an entry in the table are operations. */
    private static final List<String> BELOW_OPERATIONS = List.of(
            "number",
            "random",
            "index",
            "kernel.matmul",
            "kernel.quantization",
            "kernel.matrix",
            "kernel.elementary",
            "kernel.thread");

    static final List<Room> TABLE = List.of(
            Room.of("argument", List.of()),
            Room.of("number", List.of()),
            Room.of("random", List.of()),
            Room.of("source", List.of()),
            Room.of("file", List.of(), JSON),
            Room.of("setting", List.of("source", "file")),
            Room.of("config", List.of("setting", "file"), JSON, FASTUTIL),
            Room.of(
                    "statistic",
                    List.of(),
                    FASTUTIL,
                    "org.apache.commons.statistics..",
                    "org.apache.commons.numbers.."),
            Room.of("index", List.of(), FASTUTIL),
            Room.of("token", List.of("index"), FASTUTIL),
            Room.of("kernel.thread", List.of()),
            Room.of("kernel.elementary", List.of("number", "random", "index", "kernel.thread"), VECTOR),
            Room.of("kernel.matrix", List.of("kernel.elementary")),
            Room.of(
                    "kernel.quantization",
                    List.of("number", "random", "kernel.elementary", "kernel.matrix", "kernel.thread"),
                    VECTOR),
            Room.of(
                    "kernel.matmul",
                    List.of(
                            "number",
                            "random",
                            "index",
                            "kernel.elementary",
                            "kernel.matrix",
                            "kernel.quantization",
                            "kernel.thread"),
                    VECTOR),
            Room.of(
                    "kernel.feedforward",
                    List.of(
                            "kernel.matmul",
                            "kernel.activation",
                            "kernel.arithmetic",
                            "kernel.normalization",
                            "kernel.matrix",
                            "kernel.thread")),
            Room.of("kernel", List.of("number", "random", "index", "kernel"), VECTOR),
            Room.of("task", List.of("token", "index", "source", "setting"), FASTUTIL, "org.logicng.."),
            Room.of(
                    "model",
                    List.of("kernel", "number", "random", "index", "token", "file"),
                    JSON,
                    FASTUTIL,
                    "org.apache.commons.numbers.."),
            Room.of(
                    "construct",
                    List.of("model", "kernel", "index", "task", "token", "source", "number", "setting"),
                    FASTUTIL,
                    "org.ejml.."),
            Room.of("train", List.of("model", "kernel", "number", "token", "random", "file"), JSON, FASTUTIL),
            Room.of(
                    "dataset",
                    List.of("source", "task", "train", "token", "random", "file"),
                    JSON,
                    FASTUTIL,
                    "com.knuddels.jtokkit.."),
            Room.of(
                    "measure",
                    List.of("model", "token", "statistic", "number", "random", "kernel.quantization", "kernel.matrix"),
                    "org.apache.commons.numbers..",
                    "org.ejml.."),
            Room.of(
                    "experiment",
                    List.of(
                            "config",
                            "file",
                            "setting",
                            "statistic",
                            "number",
                            "random",
                            "index",
                            "token",
                            "kernel",
                            "task",
                            "model",
                            "train",
                            "dataset",
                            "measure",
                            "sweep"),
                    FASTUTIL),
            Room.of(
                    "track",
                    List.of("source", "statistic", "file"),
                    JSON,
                    "com.sun.management",
                    "org.apache.commons.statistics.."),
            Room.of("bench", List.of("track", "statistic", "file"), JSON),
            Room.of("sweep", List.of("track", "statistic", "file", "config", "setting"), JSON),
            Room.of(
                    "claim",
                    List.of(
                            "number",
                            "source",
                            "setting",
                            "statistic",
                            "index",
                            "token",
                            "kernel",
                            "task",
                            "model",
                            "construct",
                            "train",
                            "measure",
                            "track",
                            "sweep",
                            "file"),
                    JSON,
                    FASTUTIL),
            Room.of(
                    "figure",
                    List.of(
                            "claim",
                            "construct",
                            "kernel",
                            "measure",
                            "model",
                            "number",
                            "setting",
                            "source",
                            "statistic",
                            "task",
                            "token",
                            "track",
                            "train")),
            Room.of(
                    "report",
                    List.of("claim", "track", "statistic", "source", "file"),
                    JSON,
                    "com.samskivert.mustache.."),
            Room.of(
                    "cli",
                    List.of(
                            "number",
                            "random",
                            "source",
                            "statistic",
                            "index",
                            "token",
                            "kernel",
                            "task",
                            "model",
                            "construct",
                            "train",
                            "dataset",
                            "measure",
                            "track",
                            "sweep",
                            "bench",
                            "claim",
                            "report",
                            "file",
                            "setting",
                            "config",
                            "experiment"),
                    JSON,
                    "picocli..",
                    "me.tongfei.progressbar..",
                    "org.jline.utils"));

    private static final List<Room> HOUSE =
            Stream.concat(TABLE.stream(), operations()).toList();

    private static final int MAX_PARAMETERS = 12;

    private static final int MAX_FILES = 36;

    private static final int MAX_LINES = 500;

    private static Stream<Room> operations() {
        return MAIN.stream()
                .map(type -> type.getPackageName().split("\\."))
                .filter(words -> words.length > 3 && words[2].equals("kernel"))
                .map(words -> "kernel." + words[3])
                .distinct()
                .filter(name -> TABLE.stream().noneMatch(room -> room.name().equals(name)))
                .map(name -> Room.of(name, BELOW_OPERATIONS, VECTOR));
    }

    static Stream<Room> furnishedRooms() {
        return HOUSE.stream().filter(room -> MAIN.stream().anyMatch(room::contains));
    }

    @ParameterizedTest
    @MethodSource("furnishedRooms")
    void aRoomImportsOnlyWhatItsLineAllows(Room room) {
        classes()
                .that()
                .resideInAPackage(room.ownPackage())
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(room.mayImport())
                .check(MAIN);
    }

    @Test
    void everyPackageHasItsLine() {
        assertThat(MAIN).hasSizeGreaterThan(100);
        assertThat(MAIN.stream().filter(type -> HOUSE.stream().noneMatch(room -> room.contains(type))))
                .isEmpty();
    }

    @Test
    void roomsAreFreeOfCycles() {
        slices().matching("org.lemmata.(*)..").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void operationsAreFreeOfCycles() {
        slices().matching("org.lemmata.kernel.(*)..").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void oraclesDoNotKnowKernels() {
        noClasses()
                .that()
                .resideInAPackage("org.lemmata.oracle..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.lemmata.kernel..")
                .check(TESTS);
    }

    /**
     * Without the Vector API, a class whose methods use it cannot be loaded, not even for its other methods. Constants
     * are inlined, so they are not dependencies.
     */
    @Test
    void scalarKernelsNeedNoVectorApi() {
        DescribedPredicate<JavaClass> onLanes = DescribedPredicate.describe(
                "on lanes",
                type -> type.getDirectDependenciesFromSelf().stream()
                        .anyMatch(dependency ->
                                dependency.getTargetClass().getPackageName().startsWith("jdk.incubator")));
        noClasses()
                .that()
                .haveSimpleNameStartingWith("Scalar")
                .should()
                .dependOnClassesThat(onLanes)
                .check(MAIN);
    }

    /**
     * Methods and constructors, including those of records, have at most {@value #MAX_PARAMETERS} parameters. Tiles are
     * exempt: their values are passed as scalars, so that the compiler keeps them in registers.
     */
    @Test
    void parameterListsAreShort() {
        assertThat(MAIN.stream()
                        .filter(type -> !type.getSimpleName().startsWith("Tile"))
                        .flatMap(type -> type.getCodeUnits().stream())
                        .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .filter(unit -> unit.getRawParameterTypes().size() > MAX_PARAMETERS)
                        .map(unit -> unit.getOwner().getFullName().substring(ROOT.length()) + "." + unit.getName())
                        .distinct())
                .isEmpty();
    }

    /** Folders have at most {@value #MAX_FILES} files, and files {@value #MAX_LINES} lines. */
    @Test
    void foldersAndFilesAreSmall() throws IOException {
        for (String root : List.of("main", "test", "jmh", "spark")) {
            try (Stream<Path> paths = Files.walk(Path.of("src", root, "java"))) {
                List<Path> files =
                        paths.filter(path -> path.toString().endsWith(".java")).toList();
                assertThat(files)
                        .hasSizeGreaterThan(10)
                        .allSatisfy(file -> assertThat(Files.readAllLines(file))
                                .as("lines of %s", file)
                                .hasSizeLessThanOrEqualTo(MAX_LINES));
                assertThat(files.stream().collect(Collectors.groupingBy(Path::getParent)))
                        .allSatisfy((folder, inside) ->
                                assertThat(inside).as("files of %s", folder).hasSizeLessThanOrEqualTo(MAX_FILES));
            }
        }
    }

    /** Classes of different packages have different names, except figures, because papers number them separately. */
    @Test
    void namesAreUnique() {
        assertThat(MAIN.stream()
                        .filter(type ->
                                type.isTopLevelClass() && !type.getSimpleName().matches("package-info|Figure\\d.*"))
                        .collect(Collectors.groupingBy(JavaClass::getSimpleName, TreeMap::new, Collectors.counting()))
                        .entrySet())
                .filteredOn(entry -> entry.getValue() > 1)
                .isEmpty();
    }

    /** Starting a process takes a second or more, so all other tests run commands in their own JVM. */
    @Test
    void testsThatStartProcessesAreTheseAlone() {
        List<String> starters = List.of("java.lang.ProcessBuilder", "org.lemmata.cli.ChildJvm");
        assertThat(TESTS.stream()
                        .filter(type -> type.getDirectDependenciesFromSelf().stream()
                                .anyMatch(dependency -> starters.contains(
                                        dependency.getTargetClass().getName())))
                        .map(JavaClass::getSimpleName)
                        .distinct())
                .containsExactlyInAnyOrder(
                        "BenchCommandTest",
                        "Checkout",
                        "ChildJvm",
                        "Chromium",
                        "CommitBuildsTest",
                        "OtherThreadsTest",
                        "CommandsTest",
                        "DisturbedSweepTest",
                        "ForwardScriptTest",
                        "FrontDoorTest",
                        "KernelsTest",
                        "KilledTrainingTest",
                        "LocaleTest",
                        "LauncherTest",
                        "FilesTest",
                        "OwnDataTest",
                        "RunRecordTest",
                        "TrainCommandTest",
                        "TutorialTest",
                        "VerifyCommandTest");
    }
}
