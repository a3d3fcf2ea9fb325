package org.lemmata;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.lemmata.kernel.elementary.Species;

/**
 * Measures the seconds of every test class, and prints the longest after the last class of a JVM. A JVM with a set lane
 * width extends the table of the previous JVM. JUnit finds this class by ServiceLoader if pom.xml enables it.
 *
 * <p>Surefire's times are misleading: a thread that waits for a parallel stream runs another class in the meantime.
 */
public final class ClassSeconds implements BeforeAllCallback, AfterAllCallback {

    private static final Path FILE = Path.of("target", "class-seconds.txt");

    private static final int SHOWN = 20;

    /** Seconds of wall-clock time, and of processor time of the class's thread. */
    record Spent(double clock, double processor) {

        private static Spent now() {
            return new Spent(
                    System.nanoTime() / 1e9, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9);
        }

        private Spent plus(Spent other) {
            return new Spent(clock + other.clock, processor + other.processor);
        }

        private Spent since(Spent before) {
            return new Spent(clock - before.clock, processor - before.processor);
        }
    }

    /** The classes that a thread is running, innermost first, and the start of the innermost one's current share. */
    private static final class Open {
        private final Deque<String> classes = new ArrayDeque<>();
        private Spent since = new Spent(0, 0);
    }

    /** The time of each class of this JVM; closed after its last class. */
    static final class Table implements AutoCloseable {

        private final Map<String, Spent> spent = new TreeMap<>();
        private final ThreadLocal<Open> open = ThreadLocal.withInitial(Open::new);
        private final Supplier<Spent> clock;

        Table(Supplier<Spent> clock) {
            this.clock = clock;
        }

        void begin(String name) {
            charge();
            open.get().classes.push(name);
        }

        void end() {
            charge();
            open.get().classes.pop();
        }

        private void charge() {
            Open here = open.get();
            Spent now = clock.get();
            if (!here.classes.isEmpty()) {
                synchronized (spent) {
                    spent.merge(here.classes.peek(), now.since(here.since), Spent::plus);
                }
            }
            here.since = now;
        }

        Map<String, Spent> spent() {
            return spent;
        }

        @Override
        public void close() throws IOException {
            if (spent.size() == 1) {
                // Each class has its own JVM.
                return;
            }
            String bits = System.getProperty(Species.PROPERTY);
            List<String> lines = new ArrayList<>();
            if (bits != null && Files.exists(FILE)) {
                lines.addAll(Files.readAllLines(FILE));
            }
            lines.addAll(lines(spent, bits == null ? "" : ", " + bits + " bits"));
            lines.sort(Comparator.reverseOrder());
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, lines);
            System.out.printf("Seconds of test classes, on the clock and of the processor; all are in %s:%n", FILE);
            lines.stream().limit(SHOWN).forEach(System.out::println);
        }
    }

    /** One line per class; the order of the texts is that of the seconds. */
    static List<String> lines(Map<String, Spent> spent, String width) {
        return spent.entrySet().stream()
                .map(entry -> String.format(
                        Locale.ROOT,
                        "%8.1f %8.1f  %s%s",
                        entry.getValue().clock(),
                        entry.getValue().processor(),
                        entry.getKey(),
                        width))
                .toList();
    }

    private static Table table(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(Table.class, key -> new Table(Spent::now), Table.class);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        table(context).begin(context.getRequiredTestClass().getName());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        table(context).end();
    }
}
