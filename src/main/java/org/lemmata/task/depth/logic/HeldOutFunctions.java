package org.lemmata.task.depth.logic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.argument.Refuse;
import org.lemmata.index.BinaryWordSet;

/**
 * Functions whose expressions are out of sample. Each function has one simplified form, so holding out functions means
 * holding out right-hand sides.
 *
 * <p>The held-out functions are chosen uniformly from the distinct functions of {@value #DRAWS} drawn expressions.
 * Source: Richard (2024), section 2.2. The paper holds out 128 simplified forms and does not specify how they were
 * chosen.
 */
public final class HeldOutFunctions {

    private static final int DRAWS = 1 << 16;

    /** The maximum number of cached choices. A cache is useful because the cells of a grid repeat choices. */
    private static final int MAX_CACHED = 64;

    private static final SequencedMap<Choice, HeldOutFunctions> KEPT = new LinkedHashMap<>();

    private record Choice(ExpressionLaw law, int count, long seed) {}

    private final BinaryWordSet functions;

    private HeldOutFunctions(int variables) {
        this.functions = BinaryWordSet.forLength(1 << variables);
    }

    public static HeldOutFunctions none(int variables) {
        TruthTable.requireVariables(variables);
        return new HeldOutFunctions(variables);
    }

    /**
     * Chooses functions.
     *
     * @throws IllegalArgumentException if {@code count} is negative, or not below the number of functions that were
     *     drawn
     */
    public static HeldOutFunctions choose(ExpressionLaw law, int count, long seed) {
        Refuse.below("heldOut", count, 0);
        var choice = new Choice(law, count, seed);
        synchronized (KEPT) {
            HeldOutFunctions known = KEPT.get(choice);
            if (known != null) {
                return known;
            }
        }
        HeldOutFunctions heldOut = draw(law, count, seed);
        synchronized (KEPT) {
            KEPT.put(choice, heldOut);
            if (KEPT.size() > MAX_CACHED) {
                KEPT.pollFirstEntry();
            }
        }
        return heldOut;
    }

    private static HeldOutFunctions draw(ExpressionLaw law, int count, long seed) {
        HeldOutFunctions heldOut = none(law.variables());
        if (count > 0) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            List<long[]> drawn = distinct(law, random);
            if (drawn.size() <= count) {
                throw new IllegalArgumentException("heldOut: expected fewer than the " + drawn.size()
                        + " distinct functions of " + DRAWS + " expressions, got " + count);
            }
            for (int i = 0; i < count; i++) {
                int chosen = random.nextInt(i, drawn.size());
                heldOut.functions.add(drawn.set(chosen, drawn.get(i)));
            }
        }
        return heldOut;
    }

    private static List<long[]> distinct(ExpressionLaw law, RandomGenerator random) {
        var leaves = new LeafAlphabet(new BooleanLanguage(law.variables()), law.constants());
        ExpressionSampler sampler = law.sampler(leaves, random);
        BinaryWordSet seen = BinaryWordSet.forLength(1 << law.variables());
        List<long[]> drawn = new ArrayList<>();
        for (int i = 0; i < DRAWS; i++) {
            sampler.draw();
            long[] table = new long[leaves.words()];
            sampler.tableInto(table);
            if (seen.add(table)) {
                drawn.add(table);
            }
        }
        return drawn;
    }

    public int size() {
        return functions.size();
    }

    public boolean contains(TruthTable table) {
        return contains(table.words());
    }

    boolean contains(long[] table) {
        return functions.contains(table);
    }
}
