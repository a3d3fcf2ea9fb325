package org.lemmata.model;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A lookup table for the parameters of an architecture by role and layer. */
public final class ParameterIndex {

    /** The offset that stands for an absent parameter, as in the kernels. */
    public static final int ABSENT = -1;

    private final Map<ParameterRole, @Nullable ParameterView[]> views = new EnumMap<>(ParameterRole.class);

    public ParameterIndex(Architecture architecture) {
        for (ParameterView view : architecture.layout()) {
            views.computeIfAbsent(view.role(), role -> new ParameterView[role.ofLayer() ? architecture.layers() : 1])[
                    Math.max(view.layer(), 0)] = view;
        }
    }

    /** The view of a role's parameter, or null if the architecture does not have it. Layers count from 0. */
    @Nullable
    public ParameterView find(ParameterRole role, int layer) {
        @Nullable ParameterView[] ofRole = views.get(role);
        return ofRole == null ? null : ofRole[role.ofLayer() ? layer : 0];
    }

    public ParameterView view(ParameterRole role, int layer) {
        ParameterView view = find(role, layer);
        if (view == null) {
            throw new AssertionError("no " + role.name(layer));
        }
        return view;
    }

    /** The offset of a parameter, or {@link #ABSENT}. */
    public int offset(ParameterRole role, int layer) {
        ParameterView view = find(role, layer);
        return view == null ? ABSENT : view.offset();
    }
}
