package org.lemmata.task.depth.logic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
 * Simplified forms as LogicNG finds them, for functions that depend on all of their variables.
 *
 * <p>Every call has a formula factory of its own, so that what was simplified before changes nothing. Operations come
 * back without negations around them.
 */
final class LibraryForms {

    private static final String PREFIX = "p";

    private static final AdvancedSimplifierConfig SIMPLIFIER =
            AdvancedSimplifierConfig.builder().simplifyNegations(false).build();

    private LibraryForms() {}

    /**
     * The smallest conjunction of disjunctions where fewer than half of the assignments make the function true, else
     * the smallest disjunction of conjunctions: with the fewest clauses (Quine and McCluskey, the cover by a SAT
     * solver).
     *
     * <p>Among clauses of the same number the library takes any; each is prime. The choice of the form is that of
     * {@code simplify_logic} of SymPy, which the paper uses.
     */
    static SimplifiedForm twoLevel(TruthTable table) {
        boolean disjunctive = 2 * table.ones() >= 1 << table.variables();
        var factory = new FormulaFactory();
        List<Assignment> models = models(factory, table, disjunctive);
        Formula formula = QuineMcCluskeyAlgorithm.compute(models, factory);
        return form(disjunctive ? formula : formula.negate());
    }

    /**
     * A short form: the prime implicants that cover the function or its complement, factored out by the distributive
     * law, whichever has fewer leaves. It need not be the shortest.
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

    /** The assignments at which the function has a value. */
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

    /** Shannon's expansion by the last variables first; {@code assignment} fixes those from {@code variables} on. */
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
