package org.lemmata.claim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * A claim about constructions and formulas, computed anew at each check. A builder creates it in named steps:
 *
 * <pre>{@code
 * ComputedClaim.asStated("key.lemma-1", SOURCE, "What the lemma says.")
 *         .settings("n | 1..64 | 8 | length of the words")
 *         .range("every word of length {n}")
 *         .test((scope, computation) -> check(scope.integers("n"), computation::model));
 * }</pre>
 *
 * @param statement the tested statement
 * @param paper the paper's statement, as a phrase or a quotation
 * @param settings a user's options, in display order; verdicts are pinned for their defaults
 * @param defaults for each setting whose default depends on the budget, by name: the quick default, then the standard
 *     and full defaults if they differ
 * @param budgets the budgets at which the tests differ
 * @param sizes the sizes by budget: {@link Sizes#PAPER}, or a text that lists the differences from the paper's size
 * @param ranges the tested cases of a scope
 * @param beyond a description of the settings that violate the statement's hypothesis; empty if none does
 * @param test runs the test in a scope with the models of a computation
 */
public record ComputedClaim(
        Statement statement,
        String paper,
        List<Setting> settings,
        Map<String, List<String>> defaults,
        List<Budget> budgets,
        Function<Budget, String> sizes,
        Function<Scope, String> ranges,
        Function<Scope, String> beyond,
        BiFunction<Scope, Computation, Finding> test)
        implements Claim {

    private static final List<Budget> ALL = List.of(Budget.QUICK, Budget.STANDARD, Budget.FULL);

    public ComputedClaim {
        settings = List.copyOf(settings);
        defaults = Map.copyOf(defaults);
    }

    public static Builder of(Statement statement) {
        return new Builder(statement);
    }

    /** Begins a claim in the paper's wording. */
    public static Builder asStated(String id, Source source, String text) {
        return of(new Statement(id, source, Form.AS_STATED, text));
    }

    /** Begins a claim in the wording of one of Lemmata's papers, whose key begins the id. */
    public static Builder asStated(String id, String place, String text) {
        return asStated(id, new Source(Paper.of(id), place), text);
    }

    /** Begins a claim in a corrected wording. */
    public static Builder corrected(String id, Source source, String text) {
        return of(new Statement(id, source, Form.CORRECTED, text));
    }

    /** Begins a corrected claim of one of Lemmata's papers, whose key begins the id. */
    public static Builder corrected(String id, String place, String text) {
        return corrected(id, new Source(Paper.of(id), place), text);
    }

    /** Begins a claim in the paper's wording, which is corrected, unproved or untestable ({@link Form#PRINTED}). */
    public static Builder printed(String id, Source source, String text) {
        return of(new Statement(id, source, Form.PRINTED, text));
    }

    /** Begins a printed claim of one of Lemmata's papers, whose key begins the id. */
    public static Builder printed(String id, String place, String text) {
        return printed(id, new Source(Paper.of(id), place), text);
    }

    /** The tested cases of a scope, with values in place of {@code {name}}. */
    public String range(Scope scope) {
        return scope.settings().fill(Statement.joined(ranges.apply(scope)));
    }

    @Override
    public String range(Budget budget) {
        return range(scope(budget, Map.of()));
    }

    @Override
    public String size(Budget budget) {
        return sizes.apply(budget);
    }

    /** A description of a scope's settings that violate the statement's hypothesis; empty if none does. */
    public String beyond(Scope scope) {
        return Stream.of(scope.settings().unstated(), beyond.apply(scope))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /**
     * The scope of a budget with a user's settings.
     *
     * @throws IllegalArgumentException if the claim lacks one of the settings, or a value is not legal
     */
    public Scope scope(Budget budget, Map<String, String> given) {
        var all = new HashMap<>(given);
        defaults.forEach((name, texts) ->
                all.putIfAbsent(name, texts.get(Math.min(budget.of(0, 1, 2), texts.size() - 1))));
        return new Scope(budget, new Settings(settings, all));
    }

    /**
     * Runs the test.
     *
     * @throws IllegalArgumentException if settings contradict each other
     * @throws UnmetDemandException if the computation's format is too narrow for a construction
     */
    public Finding check(Scope scope, Computation computation) {
        return test.apply(scope, computation);
    }

    /** Runs the test at a budget, with the defaults of all settings. */
    public Finding check(Budget budget, Computation computation) {
        return check(scope(budget, Map.of()), computation);
    }

    /**
     * This claim as a test of a construction from the proof of an existence theorem. A failing construction is a gap in
     * the proof but no counterexample to the theorem, so the verdict is then {@link NotTested#PROOF}, not refuted.
     *
     * @param theorem a description of what remains true of the theorem
     */
    public ComputedClaim ofProof(String theorem) {
        return unrefuted(NotTested.PROOF, theorem + "; as the proof has it, ");
    }

    /**
     * This claim as a test at the edge of what the paper means. The verdict on a failure is then
     * {@link NotTested#HYPOTHESIS}, not refuted.
     *
     * @param hypothesis what the paper presupposes
     */
    public ComputedClaim outside(String hypothesis) {
        return unrefuted(NotTested.HYPOTHESIS, hypothesis + "; otherwise, ");
    }

    private ComputedClaim unrefuted(NotTested kind, String beginning) {
        UnaryOperator<Finding> unrefuted = found -> {
            String reason = found.verdict().reason();
            return found.verdict().outcome() == Outcome.REFUTED
                    ? found.as(kind.because(beginning + reason.substring(reason.indexOf(": ") + 2)))
                    : found;
        };
        return new ComputedClaim(
                statement, paper, settings, defaults, budgets, sizes, ranges, beyond, test.andThen(unrefuted));
    }

    /** The steps of creating a claim. The last step is {@link #test} or {@link #untested}. */
    public static final class Builder {

        private final Statement statement;
        private String paper;
        private final List<Setting> settings = new ArrayList<>();
        private final Map<String, List<String>> defaults = new HashMap<>();
        private List<Budget> budgets = List.of();
        private boolean isFixed;
        private Function<Budget, String> sizes = budget -> Sizes.PAPER;
        private Function<Scope, String> ranges = scope -> "";
        private Function<Scope, String> beyond = scope -> "";

        private Builder(Statement statement) {
            this.statement = statement;
            paper = statement.form().paper();
        }

        /**
         * The paper's statement, if it differs from the text that the statement's form implies ({@link Form#paper}).
         */
        public Builder paper(String phrase) {
            paper = phrase;
            return this;
        }

        /** Adds a {@linkplain Setting#numbers table} of settings. */
        public Builder settings(String table) {
            return settings(Setting.numbers(table));
        }

        /** Adds settings. */
        public Builder settings(List<Setting> further) {
            settings.addAll(further);
            return this;
        }

        /**
         * Adds a setting whose default depends on the budget.
         *
         * @param row {@code name | numbers | meaning}, or a whole row of a {@linkplain Setting#numbers table} whose
         *     meaning describes the default
         * @param texts the default of the quick budget, then the standard and full defaults if they differ
         */
        public Builder byBudget(String row, String... texts) {
            boolean isWhole = row.chars().filter(each -> each == '|').count() > 2;
            int meaning = row.lastIndexOf('|');
            settings(
                    isWhole
                            ? row
                            : row.substring(0, meaning) + "| |" + row.substring(meaning + 1)
                                    + "; by default as the budget has it");
            defaults.put(settings.getLast().name(), List.of(texts));
            return this;
        }

        /** The budgets at which the tests differ, if other steps do not imply them. */
        public Builder budgets(Budget... different) {
            budgets = List.of(different);
            return this;
        }

        /** The size by budget; {@link Sizes#PAPER} by default. The number of cases belongs in the range instead. */
        public Builder size(Function<Budget, String> reduced) {
            sizes = reduced;
            return this;
        }

        /** The tested cases, with settings as {@code {name}}, if budgets differ only in defaults. */
        public Builder range(String text) {
            isFixed = true;
            return range(scope -> text);
        }

        /** The tested cases of a scope, with settings as {@code {name}}. */
        public Builder range(Function<Scope, String> text) {
            ranges = text;
            return this;
        }

        /**
         * A description of combinations of settings that violate the statement's hypothesis, in addition to the limits
         * of single settings.
         */
        public Builder beyond(Function<Scope, String> text) {
            beyond = text;
            return this;
        }

        /** The claim with its test. */
        public ComputedClaim test(BiFunction<Scope, Computation, Finding> test) {
            int different =
                    defaults.values().stream().mapToInt(List::size).max().orElse(isFixed ? 1 : ALL.size());
            List<Budget> implied = budgets.isEmpty() ? ALL.subList(0, different) : budgets;
            return new ComputedClaim(statement, paper, settings, defaults, implied, sizes, ranges, beyond, test);
        }

        /**
         * Creates a claim without a test. Every check returns {@code verdict}.
         *
         * @param verdict {@link Outcome#NOT_TESTED}, with its reason
         */
        public ComputedClaim untested(Verdict verdict) {
            return size(budget -> "not run")
                    .range("nothing")
                    .test((scope, computation) -> new Finding(verdict, List.of(), List.of()));
        }
    }
}
