package org.lemmata.cli.terminal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * Asks work to end at its next convenient place when Ctrl-C or a request to end comes; a second one ends the program.
 *
 * <p>A shutdown hook would not do: others, which clear away files that are being written, would run beside it.
 */
public final class Interruption implements AutoCloseable {

    private static final List<String> SIGNALS = List.of("INT", "TERM");

    private final AtomicBoolean requested = new AtomicBoolean();
    private final Map<String, Object> before = new ConcurrentHashMap<>();

    /** Listens until it is closed. */
    public void listen() {
        listen(() -> {});
    }

    /** The same; {@code told} is called, on a thread of its own, when the request comes. */
    public void listen(Runnable told) {
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
