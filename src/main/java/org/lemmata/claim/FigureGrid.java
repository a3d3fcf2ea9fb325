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
 * The grid of trials for a figure: a sweep file, which is a resource in the package of the figure's claims. Without a
 * budget, the file has the paper's size. Its budget {@code standard} has the reduced size; {@code medium} has a size in
 * between.
 *
 * @param id the figure's id, such as {@code depth.figure-3.left}
 * @param beside any class in the package of the resource
 * @param resource the file's name, such as {@code figure-3-left.yaml}
 * @param sizes the file's budgets, the largest first
 */
public record FigureGrid(String id, Class<?> beside, String resource, List<Budget> sizes) {

    private record Key(Class<?> beside, String resource, String budget) {}

    /** A cache of files that were read without overrides, because reading a file checks up to thousands of cells. */
    private static final Map<Key, Sweep> READ = new ConcurrentHashMap<>();

    public FigureGrid(String id, Class<?> beside, String resource) {
        this(id, beside, resource, List.of(Budget.FULL, Budget.STANDARD));
    }

    public FigureGrid withMedium() {
        return new FigureGrid(id, beside, resource, List.of(Budget.FULL, Budget.MEDIUM, Budget.STANDARD));
    }

    /** The key of the figure's paper: the first word of the id. */
    public String paper() {
        return id.substring(0, id.indexOf('.'));
    }

    /** The grid of a budget; the standard grid if the budget has no grid. */
    public Sweep sweep(Budget budget) throws IOException {
        return sweep(sizes.contains(budget) ? budget.label() : Budget.STANDARD.label(), List.of());
    }

    /**
     * The grid with overrides.
     *
     * @param budget a budget of the file, or {@link Sweep#FULL}
     * @param overrides {@code dotted.path=value}
     * @throws IllegalArgumentException if the file or an override is not legal; the message is one line that names the
     *     place
     * @throws IOException if the resource cannot be read
     */
    public Sweep sweep(String budget, List<String> overrides) throws IOException {
        return overrides.isEmpty()
                ? sweep(budget, id -> true).orElseThrow()
                : Sweep.parse(resource, text(), overrides, budget);
    }

    /**
     * The grid of a budget if the ids of all its cells are known. Stops at the first unknown id and then returns empty.
     */
    Optional<Sweep> sweep(String budget, Predicate<String> known) throws IOException {
        var key = new Key(beside, resource, budget);
        Sweep read = READ.get(key);
        if (read != null) {
            return Optional.of(read).filter(sweep -> sweep.cells().stream().allMatch(cell -> known.test(cell.id())));
        }
        Optional<Sweep> sweep = Sweep.parse(resource, text(), List.of(), budget, known);
        sweep.ifPresent(whole -> READ.put(key, whole));
        return sweep;
    }

    private String text() throws IOException {
        try (InputStream file = beside.getResourceAsStream(resource)) {
            if (file == null) {
                throw new FileNotFoundException(resource + ": no such file next to " + beside.getName());
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
