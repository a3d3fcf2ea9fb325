package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A command line in a JVM of its own, which can be killed.
 *
 * @param process the JVM
 * @param errors what it writes to standard error
 */
record ChildJvm(Process process, Path errors) implements AutoCloseable {

    /** How a process ends that SIGKILL ended. */
    static final int KILLED = 128 + 9;

    /** For what does not come: a machine may be slow, but not so slow. Waits are counted, since it may be suspended. */
    private static final long PATIENCE_SECONDS = 120;

    /**
     * Starts one.
     *
     * @param directory for its standard error
     * @param before the command that starts it, if not the JVM itself is to
     * @param options of the JVM
     * @param args the command line
     */
    static ChildJvm start(Path directory, List<String> before, List<String> options, List<String> args)
            throws IOException {
        return start(directory, before, options, Lemmata.class, args);
    }

    /** Starts another program, with a main method. */
    static ChildJvm start(
            Path directory, List<String> before, List<String> options, Class<?> program, List<String> args)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--add-modules", "jdk.incubator.vector", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(args);
        Path errors = Files.createTempFile(directory, "errors", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
        return new ChildJvm(process, errors);
    }

    static ChildJvm start(Path directory, List<String> args) throws IOException {
        return start(directory, List.of(), List.of(), args);
    }

    /** Waits until something holds, or the process has ended. */
    void await(BooleanSupplier condition) throws IOException, InterruptedException {
        for (int millis = 0; process.isAlive() && !condition.getAsBoolean(); millis++) {
            assertThat(millis).as("%s", errorLines()).isLessThan((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            Thread.sleep(1);
        }
    }

    /** The exit code, once it has ended by itself. */
    int exitCode() throws IOException, InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("%s", errorLines())
                .isTrue();
        return process.exitValue();
    }

    /** Sends it INT, TERM or the like. */
    void signal(String name) throws IOException, InterruptedException {
        String id = Long.toString(process.pid());
        assertThat(new ProcessBuilder("kill", "-" + name, id).start().waitFor()).isZero();
    }

    /** Ends it at once, as kill -9 does; returns the exit code, which is another if it was over before. */
    int kill() throws InterruptedException {
        process.destroyForcibly();
        return process.waitFor();
    }

    /** What it wrote to standard error, without what the JVM says of its incubator modules. */
    List<String> errorLines() throws IOException {
        return Files.readAllLines(errors).stream()
                .filter(line -> !line.equals("WARNING: Using incubator modules: jdk.incubator.vector"))
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
