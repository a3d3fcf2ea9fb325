package org.lemmata.task.depth.logic;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The simplified form of every function: one for each truth table, whoever asks and in whatever order.
 *
 * <p>Forms are computed once and kept by their truth tables, the first {@value #MOST_KEPT} of them. Safe for use by
 * several threads at once.
 */
public final class Simplification {

    /** So that the cache of functions of eight variables stays below a gigabyte. */
    private static final int MOST_KEPT = 1 << 20;

    private final BooleanLanguage language;
    private final AnswerForm form;
    private final int smallVariables;
    private final Map<long[], int[]> answers = new Object2ObjectOpenCustomHashMap<>(LongArrays.HASH_STRATEGY);
    private @Nullable ShortestForms shortest;

    /** Those of few variables, which every task of as many shares: their forms take a second. */
    private static final Map<AnswerForm, Int2ObjectMap<Simplification>> SHARED = new EnumMap<>(AnswerForm.class);

    /** One that others may use, too, with what they have computed, where that is no more than 65,536 forms. */
    static synchronized Simplification shared(int variables, AnswerForm form) {
        if (variables > ShortestForms.MAX_VARIABLES) {
            return new Simplification(new BooleanLanguage(variables), form);
        }
        return SHARED.computeIfAbsent(form, f -> new Int2ObjectOpenHashMap<>())
                .computeIfAbsent(variables, n -> new Simplification(new BooleanLanguage(n), form));
    }

    public Simplification(BooleanLanguage language, AnswerForm form) {
        this.language = language;
        this.form = form;
        this.smallVariables = Math.min(language.variables(), ShortestForms.MAX_VARIABLES);
    }

    public BooleanLanguage language() {
        return language;
    }

    /** The tokens of the simplified form. */
    public int[] simplified(TruthTable table) {
        if (table.variables() != language.variables()) {
            throw new IllegalArgumentException(
                    "table: expected one of " + language.variables() + " variables, got one of " + table.variables());
        }
        return simplified(table.words()).clone();
    }

    /** The tokens of the simplified form of the function with these bits; the array itself, not to be written to. */
    int[] simplified(long[] words) {
        synchronized (answers) {
            int[] known = answers.get(words);
            if (known != null) {
                return known;
            }
        }
        int[] answer = compute(TruthTable.of(language.variables(), words));
        synchronized (answers) {
            if (answers.size() < MOST_KEPT) {
                // A copy, since the caller may go on writing into its array.
                answers.put(words.clone(), answer);
            }
        }
        return answer;
    }

    private int[] compute(TruthTable table) {
        int[] essential = table.essential();
        if (essential.length == 0) {
            return SimplifiedForm.constant(table.value(0)).ids(language);
        }
        if (form == AnswerForm.TWO_LEVEL) {
            return LibraryForms.twoLevel(table.projected(essential)).ids(language, essential);
        }
        if (essential.length > smallVariables) {
            return LibraryForms.factored(table.projected(essential)).ids(language, essential);
        }
        // A shortest form has essential variables alone: it is the same whichever others stand beside them.
        int[] names = IntStream.concat(
                        Arrays.stream(essential),
                        IntStream.range(0, language.variables())
                                .filter(i -> Arrays.binarySearch(essential, i) < 0)
                                .limit(smallVariables - (long) essential.length))
                .sorted()
                .toArray();
        return shortestForm((int) table.projected(names).words()[0]).ids(language, names);
    }

    private synchronized SimplifiedForm shortestForm(int function) {
        if (shortest == null) {
            shortest = new ShortestForms(smallVariables);
        }
        return shortest.form(function);
    }
}
