package org.lemmata.claim;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.lemmata.sweep.Sweep;

/**
 * The grid of trials behind a figure: a sweep file that lies as a resource beside the figure's claims. The file as it
 * stands is the paper's size; its budget {@code standard} is the reduced one, {@code medium} one between.
 *
 * @param id of the figure in the ledger: {@code depth.figure-3.left}
 * @param beside a class of the package that the resource lies in
 * @param resource its name: {@code figure-3-left.yaml}
 * @param sizes what it has, the largest first
 */
public record FigureGrid(String id, Class<?> beside, String resource, List<Budget> sizes) {

    private record Key(Class<?> beside, String resource, String budget) {}

    /** What was read as it stands, each once: to read one checks the settings of each of its cells, up to thousands. */
    private static final Map<Key, Sweep> READ = new ConcurrentHashMap<>();

    /** Of two sizes. */
    public FigureGrid(String id, Class<?> beside, String resource) {
        this(id, beside, resource, List.of(Budget.FULL, Budget.STANDARD));
    }

    /** The same with a size between. */
    public FigureGrid withMedium() {
        return new FigureGrid(id, beside, resource, List.of(Budget.FULL, Budget.MEDIUM, Budget.STANDARD));
    }

    /** The key of the figure's paper, which is the first word of the id. */
    public String paper() {
        return id.substring(0, id.indexOf('.'));
    }

    /** The grid that a budget runs, the standard one's where it has none of its own. */
    public Sweep sweep(Budget budget) throws IOException {
        return sweep(sizes.contains(budget) ? budget.label() : Budget.STANDARD.label(), List.of());
    }

    /**
     * The grid with keys changed.
     *
     * @param budget one of those that the file names, or {@link Sweep#FULL}
     * @param overrides {@code dotted.path=value}
     * @throws IllegalArgumentException if something is not legal; the message is one line that names the place
     * @throws IOException if the resource cannot be read
     */
    public Sweep sweep(String budget, List<String> overrides) throws IOException {
        if (!overrides.isEmpty()) {
            return Sweep.parse(resource, text(), overrides, budget);
        }
        Sweep read = READ.get(key(budget));
        if (read == null) {
            read = Sweep.parse(resource, text(), overrides, budget);
            READ.put(key(budget), read);
        }
        return read;
    }

    /**
     * The grid of one of the sizes if the ids of all of its cells are known; where one is not, the rest is not read.
     */
    Optional<Sweep> sweep(Budget size, Predicate<String> known) throws IOException {
        Sweep read = READ.get(key(size.label()));
        if (read != null) {
            return Optional.of(read).filter(sweep -> sweep.cells().stream().allMatch(cell -> known.test(cell.id())));
        }
        Optional<Sweep> sweep = Sweep.parse(resource, text(), List.of(), size.label(), known);
        sweep.ifPresent(whole -> READ.put(key(size.label()), whole));
        return sweep;
    }

    private Key key(String budget) {
        return new Key(beside, resource, budget);
    }

    private String text() throws IOException {
        try (InputStream file = beside.getResourceAsStream(resource)) {
            if (file == null) {
                throw new FileNotFoundException(resource + ": expected it beside " + beside.getName() + ", found none");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
