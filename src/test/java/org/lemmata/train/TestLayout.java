package org.lemmata.train;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.model.ParameterView;

/** Layouts of parameters for tests, as the models name them. */
final class TestLayout {

    private final List<ParameterView> views = new ArrayList<>();
    private int size;

    TestLayout matrix(String name, int rows, int columns) {
        views.add(new ParameterView(name, rows, columns, size));
        size += rows * columns;
        return this;
    }

    TestLayout vector(String name, int columns) {
        return matrix(name, 1, columns);
    }

    List<ParameterView> views() {
        return List.copyOf(views);
    }

    int size() {
        return size;
    }
}
