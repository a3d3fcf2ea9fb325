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
 * A command line in a separate JVM, which can be killed.
 *
 * @param process the JVM
 * @param errors the file with its standard error
 */
record ChildJvm(Process process, Path errors) implements AutoCloseable {

    /** The exit code of a process that SIGKILL ended. */
    static final int KILLED = 128 + 9;

    /** The limit of waits on a slow machine. {@link #await} counts sleeps, because the machine may be suspended. */
    private static final long PATIENCE_SECONDS = 120;

    /**
     * Starts a command line of Lemmata.
     *
     * @param directory the directory for its standard error
     * @param before the words of a command that starts the JVM; empty to start it directly
     * @param options options of the JVM
     * @param args the command line
     */
    static ChildJvm start(Path directory, List<String> before, List<String> options, List<String> args)
            throws IOException {
        return start(directory, before, options, Lemmata.class, args);
    }

    /** Starts the main method of a class. */
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

    /** Waits until the condition holds or the process has ended. */
    void await(BooleanSupplier condition) throws IOException, InterruptedException {
        for (int millis = 0; process.isAlive() && !condition.getAsBoolean(); millis++) {
            assertThat(millis).as("%s", errorLines()).isLessThan((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            Thread.sleep(1);
        }
    }

    /** Waits until the process ends by itself, and returns its exit code. */
    int exitCode() throws IOException, InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("%s", errorLines())
                .isTrue();
        return process.exitValue();
    }

    /** Sends the process a signal, such as INT or TERM. */
    void signal(String name) throws IOException, InterruptedException {
        String id = Long.toString(process.pid());
        assertThat(new ProcessBuilder("kill", "-" + name, id).start().waitFor()).isZero();
    }

    /** Ends the process at once, as kill -9; the exit code is {@link #KILLED} unless it had ended before. */
    int kill() throws InterruptedException {
        process.destroyForcibly();
        return process.waitFor();
    }

    /** The lines of standard error, without the JVM's warning about incubator modules. */
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
