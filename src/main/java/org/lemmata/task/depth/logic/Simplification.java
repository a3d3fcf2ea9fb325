package org.lemmata.task.depth.logic;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.task.depth.logic.SimplifiedForm.Kind;
import org.logicng.datastructures.Assignment;
import org.logicng.formulas.Formula;
import org.logicng.formulas.FormulaFactory;
import org.logicng.formulas.Literal;
import org.logicng.formulas.Variable;
import org.logicng.transformations.qmc.QuineMcCluskeyAlgorithm;
import org.logicng.transformations.simplification.AdvancedSimplifier;
import org.logicng.transformations.simplification.AdvancedSimplifierConfig;

/**
 * The simplified form of every function; it depends only on the truth table.
 *
 * <p>Forms are cached by truth table, up to {@value #MAX_CACHED} of them. Thread-safe.
 */
public final class Simplification {

    /** The maximum number of cached forms: with eight variables, the cache typically stays below a gigabyte. */
    private static final int MAX_CACHED = 1 << 20;

    private final BooleanLanguage language;
    private final AnswerForm form;
    private final int smallVariables;
    private final Map<long[], int[]> answers = new Object2ObjectOpenCustomHashMap<>(LongArrays.HASH_STRATEGY);
    private @Nullable ShortestForms shortest;

    /** Instances for up to four variables. All tasks share them, so that forms are computed only once. */
    private static final Map<AnswerForm, Int2ObjectMap<Simplification>> SHARED = new EnumMap<>(AnswerForm.class);

    /** Returns a shared instance with its cached forms for up to four variables, otherwise a new instance. */
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

    public int[] simplified(TruthTable table) {
        if (table.variables() != language.variables()) {
            throw new IllegalArgumentException(
                    "table: expected one of " + language.variables() + " variables, got one of " + table.variables());
        }
        return simplified(table.words()).clone();
    }

    /** The tokens of the simplified form of the function with these bits; a cached array, not a copy. */
    int[] simplified(long[] words) {
        synchronized (answers) {
            int[] known = answers.get(words);
            if (known != null) {
                return known;
            }
        }
        int[] answer = compute(TruthTable.of(language.variables(), words));
        synchronized (answers) {
            if (answers.size() < MAX_CACHED) {
                // The caller may change its array, so the key is a copy.
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
        // A shortest form has only essential variables, so the choice of the other variables has no effect.
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

    /**
     * Simplified forms found by LogicNG, for functions that depend on all of their variables.
     *
     * <p>Every call uses a new formula factory, so that earlier calls do not affect the result. The results have
     * negations only before variables.
     */
    static final class LibraryForms {

        private static final String PREFIX = "p";

        private static final AdvancedSimplifierConfig SIMPLIFIER =
                AdvancedSimplifierConfig.builder().simplifyNegations(false).build();

        private LibraryForms() {}

        /**
         * The smallest conjunction of disjunctions if fewer than half of the assignments make the function true,
         * otherwise the smallest disjunction of conjunctions. The smallest form has the fewest clauses
         * (Quine-McCluskey; a SAT solver chooses the cover).
         *
         * <p>The library may choose any of the smallest sets of prime clauses. The choice between the two forms follows
         * SymPy's {@code simplify_logic}, which the paper uses.
         */
        static SimplifiedForm twoLevel(TruthTable table) {
            boolean disjunctive = 2 * table.ones() >= 1 << table.variables();
            var factory = new FormulaFactory();
            List<Assignment> models = models(factory, table, disjunctive);
            Formula formula = QuineMcCluskeyAlgorithm.compute(models, factory);
            return form(disjunctive ? formula : formula.negate());
        }

        /**
         * A short form, not always the shortest. Two covers by prime implicants, of the function and of its complement,
         * are factored by the distributive law; the result with fewer leaves is returned.
         */
        static SimplifiedForm factored(TruthTable table) {
            var factory = new FormulaFactory();
            var simplifier = new AdvancedSimplifier(SIMPLIFIER);
            Formula formula = expansion(factory, table, table.variables(), 0);
            SimplifiedForm direct = form(formula.transform(simplifier));
            SimplifiedForm complemented =
                    form(formula.negate().nnf().transform(simplifier).negate());
            return Comparator.comparingInt(SimplifiedForm::leaves)
                                    .thenComparing(Comparator.naturalOrder())
                                    .compare(direct, complemented)
                            <= 0
                    ? direct
                    : complemented;
        }

        private static List<Assignment> models(FormulaFactory factory, TruthTable table, boolean value) {
            List<Assignment> models = new ArrayList<>();
            for (int a = 0; a < 1 << table.variables(); a++) {
                if (table.value(a) == value) {
                    var model = new Assignment();
                    for (int i = 0; i < table.variables(); i++) {
                        model.addLiteral(factory.literal(PREFIX + i, (a >>> i & 1) == 1));
                    }
                    models.add(model);
                }
            }
            return models;
        }

        /**
         * The Shannon expansion, beginning with the last variables; {@code assignment} fixes the variables from index
         * {@code variables} on.
         */
        private static Formula expansion(FormulaFactory factory, TruthTable table, int variables, int assignment) {
            if (variables == 0) {
                return factory.constant(table.value(assignment));
            }
            Variable variable = factory.variable(PREFIX + (variables - 1));
            Formula low = expansion(factory, table, variables - 1, assignment);
            Formula high = expansion(factory, table, variables - 1, assignment | (1 << (variables - 1)));
            if (low.equals(high)) {
                return low;
            }
            return factory.or(factory.and(variable, high), factory.and(variable.negate(), low));
        }

        private static SimplifiedForm form(Formula formula) {
            return switch (formula.type()) {
                case FALSE -> SimplifiedForm.constant(false);
                case TRUE -> SimplifiedForm.constant(true);
                case LITERAL -> literal((Literal) formula);
                case AND -> SimplifiedForm.operation(Kind.AND, operands(formula));
                case OR -> SimplifiedForm.operation(Kind.OR, operands(formula));
                case NOT -> form(formula.nnf());
                default -> throw new IllegalStateException("expected &, | and literals, got " + formula);
            };
        }

        private static SimplifiedForm literal(Literal literal) {
            return SimplifiedForm.literal(Integer.parseInt(literal.name().substring(PREFIX.length())), literal.phase());
        }

        private static List<SimplifiedForm> operands(Formula formula) {
            return formula.stream().map(LibraryForms::form).toList();
        }
    }
}
