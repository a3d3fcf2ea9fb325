package org.lemmata.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;

/** Layouts of parameters for tests, with the names of the models. */
final class TestLayout {

    private static final int MAX_LAYERS = 4;

    private final List<ParameterView> views = new ArrayList<>();
    private int size;

    TestLayout matrix(String name, int rows, int columns) {
        return append(name, false, rows, columns);
    }

    TestLayout vector(String name, int columns) {
        return append(name, true, 1, columns);
    }

    private TestLayout append(String name, boolean vector, int rows, int columns) {
        ParameterView view = IntStream.range(ParameterView.NO_LAYER, MAX_LAYERS)
                .boxed()
                .flatMap(layer -> Arrays.stream(ParameterRole.values())
                        .filter(role -> role.ofLayer() == (layer != ParameterView.NO_LAYER))
                        .map(role -> new ParameterView(role, layer, vector, rows, columns, size)))
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        views.add(view);
        size += rows * columns;
        return this;
    }

    List<ParameterView> views() {
        return List.copyOf(views);
    }

    int size() {
        return size;
    }
}
