package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** In a separate JVM, a thread with the name of a JMH worker works, and uses other threads of several kinds. */
@EnabledOnOs(OS.LINUX)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherThreadsTest {

    private static final Path PACKAGE = Path.of("src/jmh/java/org/lemmata/benchmark/duet");

    private static final String SOURCE = """
        package org.lemmata.benchmark.duet;

        import com.sun.management.OperatingSystemMXBean;
        import java.lang.management.ManagementFactory;
        import java.util.concurrent.*;
        import java.util.stream.*;

        public class Kinds {
            static volatile Object sink;

            static long work() {
                long x = 1;
                for (int i = 0; i < 2_000_000; i++) x = x * 6364136223846793005L + i;
                return x;
            }

            /** Processor time: on a busy machine, wall time would leave little of it beyond the ticks not counted. */
            static long used() {
                return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
            }

            static void operation(String kind, ExecutorService pool) throws Exception {
                switch (kind) {
                    case "worker" -> work();
                    case "allocation" -> { for (int i = 0; i < 1000; i++) sink = new byte[10_000]; work(); }
                    case "executor", "virtual" -> pool.submit(Kinds::work).get();
                    case "parallel" -> IntStream.range(0, 8).parallel().mapToLong(i -> work()).sum();
                    case "ended" -> { var thread = new Thread(Kinds::work); thread.start(); thread.join(); }
                    default -> throw new IllegalArgumentException(kind);
                }
            }

            public static void main(String[] args) throws Exception {
                var pool = args[0].equals("virtual")
                        ? (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null)
                        : Executors.newFixedThreadPool(2);
                var workers = Executors.newSingleThreadExecutor(task -> new Thread(task, "demo.Bench.some-jmh-worker-1"));
                workers.submit(() -> { operation(args[0], pool); return 0; }).get();
                var others = new OtherThreads();
                double share = 0;
                for (int iteration = 0; iteration < 3; iteration++) {
                    long end = used() + 100_000_000;
                    workers.submit(() -> { while (used() < end) operation(args[0], pool); return 0; }).get();
                    share = others.share();
                }
                System.out.println(share);
                System.exit(0);
            }
        }
        """;

    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @BeforeAll
    void compile(@TempDir Path classes) throws IOException {
        directory = classes;
        Path kinds = Files.writeString(directory.resolve("Kinds.java"), SOURCE);
        List<String> command = Stream.concat(
                        Stream.of("--release", "17", "-proc:none", "-d", directory.toString(), kinds.toString()),
                        Stream.of("TaskTimes", "OtherThreads")
                                .map(name -> PACKAGE.resolve(name + ".java").toString()))
                .toList();
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)))
                .isZero();
    }

    /** The share of processor time of threads other than the worker. */
    private double share(String kind, String... options) throws Exception {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", directory.toString(), "org.lemmata.benchmark.duet.Kinds", kind));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return Double.parseDouble(text.strip());
    }

    @Test
    void aWorkerAloneHasNone() throws Exception {
        assertThat(share("worker")).isLessThan(0.05);
    }

    /** Small heaps are collected all the time, and with -Xcomp code is compiled all the time. */
    @Test
    void collectorsAndCompilersAreNoneOfThem() throws Exception {
        for (String collector : List.of("G1", "Serial", "Z")) {
            assertThat(share("allocation", "-Xmx64m", "-XX:+Use" + collector + "GC"))
                    .as(collector)
                    .isLessThan(0.05);
        }
        assertThat(share("worker", "-Xcomp", "-XX:-TieredCompilation"))
                .as("-Xcomp")
                .isLessThan(0.05);
    }

    @Test
    void executorsParallelStreamsVirtualThreadsAndThreadsThatEndAre() throws Exception {
        for (String kind : List.of("executor", "virtual", "ended")) {
            assertThat(share(kind)).as(kind).isGreaterThan(0.7);
        }
        assertThat(share("parallel")).isGreaterThan(0.2);
    }
}
