package org.lemmata.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one tab, controlled by the DevTools protocol. */
final class Chromium implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final long SECONDS = 60;

    /** An event from the browser. */
    record Event(String method, JsonNode params) {}

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<Event> events = new CopyOnWriteArrayList<>();

    private Chromium(Process process, Path profile) throws IOException, InterruptedException {
        this.process = process;
        Path portFile = profile.resolve("DevToolsActivePort");
        await("the port of Chromium's DevTools", () -> lines(portFile).size() == 2);
        this.socket = connect(lines(portFile).getFirst());
        for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
            send(domain + ".enable");
        }
        send("Emulation.setFocusEmulationEnabled", "enabled", true);
    }

    /** The browser on PATH, if there is one. */
    static Optional<Path> onPath() {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            for (String name : NAMES) {
                Path candidate = Path.of(directory, name);
                if (Files.isExecutable(candidate)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Starts the browser.
     *
     * @param profile an empty directory
     */
    static Chromium start(Path binary, Path profile) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        binary.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("output.txt").toFile())
                .start();
        try {
            return new Chromium(process, profile);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private WebSocket connect(String port) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                .build();
        JsonNode targets =
                MAPPER.readTree(client.send(request, BodyHandlers.ofString()).body());
        for (JsonNode target : targets) {
            if (target.path("type").asText().equals("page")) {
                URI address = URI.create(target.path("webSocketDebuggerUrl").asText());
                return client.newWebSocketBuilder()
                        .buildAsync(address, new Reader())
                        .join();
            }
        }
        throw new IOException("Chromium: expected a tab, got " + targets);
    }

    /** Assembles messages from their parts and dispatches them. */
    private final class Reader implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                read(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void read(String text) {
        JsonNode message;
        try {
            message = MAPPER.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException("DevTools: expected JSON, got " + text, e);
        }
        if (message.has("id")) {
            CompletableFuture<JsonNode> answer =
                    answers.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
        } else {
            events.add(new Event(message.path("method").asText(), message.path("params")));
        }
    }

    /** Sends a command with its parameters as alternating names and values, and waits for the result. */
    JsonNode send(String method, Object... namesAndValues) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            params.set((String) namesAndValues[i], MAPPER.valueToTree(namesAndValues[i + 1]));
        }
        int id = ids.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        answers.put(id, answer);
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        message.put("id", id).put("method", method).set("params", params);
        socket.sendText(message.toString(), true).join();
        try {
            JsonNode got = answer.get(SECONDS, TimeUnit.SECONDS);
            if (got.has("error")) {
                throw new IllegalStateException(method + ": " + got.path("error"));
            }
            return got.path("result");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(method, e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(method + ": no answer", e);
        }
    }

    /** Clears the events, opens a page and waits until it has loaded. */
    void open(Path page) {
        events.clear();
        send("Page.navigate", "url", page.toUri().toString());
        await("the page to load", () -> !events("Page.loadEventFired").isEmpty());
    }

    /** The events with this method since the page was opened. */
    List<JsonNode> events(String method) {
        return events.stream()
                .filter(event -> event.method.equals(method))
                .map(Event::params)
                .toList();
    }

    /** The value of a JavaScript expression in the page, as JSON. */
    JsonNode evaluate(String expression) {
        JsonNode result =
                send("Runtime.evaluate", "expression", expression, "returnByValue", true, "awaitPromise", true);
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** The value of an expression that is an array of strings. */
    List<String> texts(String expression) {
        var texts = new ArrayList<String>();
        evaluate(expression).forEach(text -> texts.add(text.asText()));
        return texts;
    }

    void size(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                "width",
                width,
                "height",
                height,
                "deviceScaleFactor",
                1,
                "mobile",
                false);
    }

    /**
     * @param medium "screen" or "print"
     * @param scheme "light" or "dark"
     */
    void media(String medium, String scheme) {
        send(
                "Emulation.setEmulatedMedia",
                "media",
                medium,
                "features",
                List.of(
                        Map.of("name", "prefers-color-scheme", "value", scheme),
                        Map.of("name", "prefers-reduced-motion", "value", "reduce")));
    }

    void scripts(boolean enabled) {
        send("Emulation.setScriptExecutionDisabled", "value", !enabled);
    }

    /** Presses and releases a key. */
    void press(String key, int code, String text) {
        send(
                "Input.dispatchKeyEvent",
                "type",
                text.isEmpty() ? "rawKeyDown" : "keyDown",
                "key",
                key,
                "code",
                key,
                "windowsVirtualKeyCode",
                code,
                "text",
                text);
        send("Input.dispatchKeyEvent", "type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code);
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("expected " + what + " within " + SECONDS + " s");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(what, e);
            }
        }
    }

    /** Ends the browser and waits for its end, because it writes into its profile until then. */
    @Override
    public void close() {
        socket.abort();
        client.close();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }
}
