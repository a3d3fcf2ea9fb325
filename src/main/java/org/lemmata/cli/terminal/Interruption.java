package org.lemmata.cli.terminal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * Records when the user presses Ctrl-C or the system asks the program to end, so that work can stop at a convenient
 * point. A second signal of the same kind ends the program.
 *
 * <p>This is not a shutdown hook: other hooks would run at the same time and delete unfinished files.
 */
public final class Interruption implements AutoCloseable {

    private static final List<String> SIGNALS = List.of("INT", "TERM");

    private final AtomicBoolean requested = new AtomicBoolean();
    private final Map<String, Object> before = new ConcurrentHashMap<>();

    public Interruption() {
        this(() -> {});
    }

    /** Calls {@code told} on a separate thread when the user or the system requests the end. */
    public Interruption(Runnable told) {
        for (String signal : SIGNALS) {
            Object handler = Signals.register(signal, () -> {
                requested.set(true);
                Signals.registerDefault(signal);
                told.run();
            });
            if (handler != null) {
                before.put(signal, handler);
            }
        }
    }

    public boolean isRequested() {
        return requested.get();
    }

    @Override
    public void close() {
        before.forEach(Signals::unregister);
    }
}
