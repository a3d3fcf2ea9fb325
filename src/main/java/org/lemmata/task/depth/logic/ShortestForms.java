package org.lemmata.task.depth.logic;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.task.depth.logic.SimplifiedForm.Kind;

/**
 * The exact shortest form of every function of up to four variables, by leaves(h) = min leaves(f) + leaves(g) over h =
 * f &amp; g and h = f | g.
 *
 * <p>The shortest form has the fewest leaves; ties are broken by the fewest tokens, then by the order of
 * {@link SimplifiedForm}. Negations are only before variables; by De Morgan's laws, this requires no additional leaves.
 * The minimum numbers of leaves are computed for all functions at once, level by level: a function of s leaves joins a
 * function of a &lt;= s / 2 leaves with a function of s - a leaves. A form is built on request, from all pairs of
 * functions whose numbers of leaves have the minimum sum.
 *
 * <p>A function of n variables is an int with its 2^n values as bits. Not thread-safe.
 */
final class ShortestForms {

    static final int MAX_VARIABLES = 4;

    private final int variables;
    private final int mask;
    private final byte[] leaves;
    /** All functions, ordered by leaves. Functions with s leaves have indices from starts[s] to starts[s + 1] - 1. */
    private final int[] functions;

    private final int[] starts;

    private final @Nullable SimplifiedForm[] leafForms;
    private final @Nullable SimplifiedForm[] ands;
    private final @Nullable SimplifiedForm[] ors;
    /**
     * Bit 0: ands[h] is computed; bit 1: ors[h] is computed. If no shortest form has this outermost operation, the
     * entry is null although it is computed.
     */
    private final byte[] computed;

    /** @param variables 1 to 4; the levels for four variables take about a tenth of a second */
    ShortestForms(int variables) {
        Refuse.outside("variables", variables, 1, MAX_VARIABLES);
        int count = 1 << (1 << variables);
        this.variables = variables;
        this.mask = count - 1;
        this.leaves = new byte[count];
        this.functions = new int[count];
        this.leafForms = new SimplifiedForm[count];
        this.ands = new SimplifiedForm[count];
        this.ors = new SimplifiedForm[count];
        this.computed = new byte[count];
        this.starts = levels();
    }

    private int[] levels() {
        int found = addLeaf(0, SimplifiedForm.constant(false), 0);
        found = addLeaf(mask, SimplifiedForm.constant(true), found);
        for (int i = 0; i < variables; i++) {
            int table = (int) TruthTable.variable(variables, i).words()[0];
            found = addLeaf(table, SimplifiedForm.literal(i, true), found);
            found = addLeaf(mask & ~table, SimplifiedForm.literal(i, false), found);
        }
        int[] begin = {0, 0, found};
        while (found < functions.length) {
            int total = begin.length - 1;
            for (int a = 1; a <= total / 2; a++) {
                for (int i = begin[a]; i < begin[a + 1]; i++) {
                    // Negating a variable in both operands negates it in the result, so one function per orbit
                    // suffices.
                    if (functions[i] == minNegation(functions[i])) {
                        found = addJoins(functions[i], total, begin[total - a], begin[total - a + 1], found);
                    }
                }
            }
            begin = Arrays.copyOf(begin, begin.length + 1);
            begin[total + 1] = found;
        }
        return begin;
    }

    private int addLeaf(int function, SimplifiedForm form, int found) {
        leafForms[function] = form;
        leaves[function] = 1;
        functions[found] = function;
        return found + 1;
    }

    private int addJoins(int left, int total, int from, int to, int alreadyFound) {
        int found = alreadyFound;
        for (int i = from; i < to; i++) {
            found = addOrbit(left & functions[i], total, found);
            found = addOrbit(left | functions[i], total, found);
        }
        return found;
    }

    private int addOrbit(int function, int total, int alreadyFound) {
        if (leaves[function] != 0) {
            return alreadyFound;
        }
        int found = alreadyFound;
        for (int negated = 0; negated < 1 << variables; negated++) {
            int image = negate(function, negated);
            if (leaves[image] == 0) {
                leaves[image] = (byte) total;
                functions[found++] = image;
            }
        }
        return found;
    }

    private int minNegation(int function) {
        int minimum = function;
        for (int negated = 1; negated < 1 << variables; negated++) {
            minimum = Math.min(minimum, negate(function, negated));
        }
        return minimum;
    }

    /** The function with p_i replaced by ~p_i for each set bit i of {@code negated}. */
    private int negate(int function, int negated) {
        int image = function;
        for (int i = 0; i < variables; i++) {
            if ((negated >>> i & 1) == 1) {
                int high = (int) TruthTable.variable(variables, i).words()[0];
                int width = 1 << i;
                image = ((image & high) >>> width) | ((image << width) & high);
            }
        }
        return image;
    }

    int leaves(int function) {
        return leaves[function];
    }

    SimplifiedForm form(int function) {
        SimplifiedForm leaf = leafForms[function];
        if (leaf != null) {
            return leaf;
        }
        SimplifiedForm and = rooted(Kind.AND, function);
        SimplifiedForm or = rooted(Kind.OR, function);
        if (or == null || (and != null && and.compareTo(or) <= 0)) {
            // At least one is not null, because the function has a shortest form.
            return Objects.requireNonNull(and);
        }
        return or;
    }

    /** The first shortest form with this outermost operation; null if there is none. */
    private @Nullable SimplifiedForm rooted(Kind kind, int function) {
        @Nullable SimplifiedForm[] forms = kind == Kind.AND ? ands : ors;
        int bit = kind == Kind.AND ? 1 : 2;
        if ((computed[function] & bit) == 0) {
            forms[function] = minJoin(kind, function);
            computed[function] |= (byte) bit;
        }
        return forms[function];
    }

    /**
     * The first form f &amp; g (or f | g) of the function h that has leaves(h) leaves. Operand f is a shortest form of
     * its function, has at most half of the leaves, and is a leaf or has another outermost operation than {@code kind}.
     */
    private @Nullable SimplifiedForm minJoin(Kind kind, int function) {
        // f | g = h if ~f & ~g = ~h, so all tables are complemented for |.
        int flip = kind == Kind.AND ? 0 : mask;
        int target = function ^ flip;
        int total = leaves[function];
        SimplifiedForm minimum = null;
        for (int i = starts[1]; i < starts[total / 2 + 1]; i++) {
            int left = functions[i] ^ flip;
            if ((target & ~left) != 0) {
                continue;
            }
            SimplifiedForm leftForm = operand(kind, functions[i]);
            if (leftForm == null) {
                continue;
            }
            int wanted = total - leaves[functions[i]];
            int free = mask & ~left;
            // All right = target | subset of free are tried, because exactly these have left & right = target.
            for (int subset = free; subset >= 0; subset = subset == 0 ? -1 : (subset - 1) & free) {
                int right = (target | subset) ^ flip;
                if (leaves[right] == wanted) {
                    minimum = lesser(minimum, kind, leftForm, operand(kind, right));
                    minimum = lesser(minimum, kind, leftForm, wanted == 1 ? null : rooted(kind, right));
                }
            }
        }
        return minimum;
    }

    /** The first shortest form that is a leaf or has the other outermost operation; null if there is none. */
    private @Nullable SimplifiedForm operand(Kind kind, int function) {
        SimplifiedForm leaf = leafForms[function];
        return leaf != null ? leaf : rooted(kind == Kind.AND ? Kind.OR : Kind.AND, function);
    }

    private static @Nullable SimplifiedForm lesser(
            @Nullable SimplifiedForm minimum, Kind kind, SimplifiedForm left, @Nullable SimplifiedForm right) {
        if (right == null
                || (minimum != null && left.tokensWithin(kind) + 1 + right.tokensWithin(kind) > minimum.tokens())) {
            return minimum;
        }
        SimplifiedForm join = SimplifiedForm.operation(kind, List.of(left, right));
        return minimum == null || join.compareTo(minimum) < 0 ? join : minimum;
    }
}
