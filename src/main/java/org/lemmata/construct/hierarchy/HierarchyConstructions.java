package org.lemmata.construct.hierarchy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.construct.ModelRun;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.OutputOptions;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Settings;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.HierarchyTasks;
import org.lemmata.token.Batch;

/** The constructions of Hayakawa and Sato (2024). */
public final class HierarchyConstructions implements ConstructionProvider {

    /** The maximum length n; attention takes n² steps. */
    private static final int MAX_LENGTH = 1 << 16;

    private static final String TYPES = """
        k | 2 | number of bracket types, 1 to %s
        """.formatted(BracketTokens.MAX_TYPES);

    private static final String LENGTH = """
        maxLength | 100 | the maximum number of brackets, 1 to %s
        """.formatted(MAX_LENGTH);

    private static final String WORD_DEPTH = """
        maxDepth | | maximum depth; by default half of maxLength, which also suffices for deeper words
        """;

    private static final String PREFIX_DEPTH = """
        maxDepth | = maxLength | maximum depth
        """;

    private static final String TOLERANCE = """
        tolerance | 0.001 | maximum total variation distance from the process, between 0 and 1
        """;

    @Override
    public List<Catalogue.Entry<ConstructionRun>> entries() {
        return List.of(
                new Catalogue.Entry<>(
                        "dyck-recognizer",
                        "whether brackets of k types are balanced, the last opened closed first; five layers",
                        DyckRecognizer.SOURCE,
                        TYPES + LENGTH + WORD_DEPTH + "recover | true | whether attention is rounded (appendix O)\n",
                        HierarchyConstructions::recognizer),
                new Catalogue.Entry<>(
                        "dyck-generator",
                        "the probabilities of the next token of a random word of k bracket types; three layers",
                        DyckGenerator.SOURCE,
                        process(BracketLanguage.DYCK) + LENGTH + PREFIX_DEPTH + TOLERANCE,
                        settings -> new BracketRun(
                                new DyckGenerator(
                                        HierarchyTasks.process(BracketLanguage.DYCK, settings),
                                        prefixConstants(settings),
                                        settings.requiredReal("tolerance")),
                                BracketLanguage.DYCK)),
                new Catalogue.Entry<>(
                        "shuffle-dyck-recognizer",
                        "whether brackets of k types are balanced, separately for each type; three layers",
                        ShuffleDyckRecognizer.SOURCE,
                        TYPES + LENGTH,
                        settings -> new BracketRun(
                                new ShuffleDyckRecognizer(tokens(settings), maxLength(settings)),
                                BracketLanguage.SHUFFLE_DYCK)),
                new Catalogue.Entry<>(
                        "shuffle-dyck-generator",
                        "the probabilities of the next token of a random word of Shuffle-Dyck_k; one layer",
                        ShuffleDyckGenerator.SOURCE,
                        process(BracketLanguage.SHUFFLE_DYCK) + LENGTH + TOLERANCE,
                        settings -> new BracketRun(
                                new ShuffleDyckGenerator(
                                        HierarchyTasks.process(BracketLanguage.SHUFFLE_DYCK, settings),
                                        maxLength(settings),
                                        settings.requiredReal("tolerance")),
                                BracketLanguage.SHUFFLE_DYCK)),
                new Catalogue.Entry<>(
                        "dyck-recognizer-without-start",
                        "dyck-recognizer without <bos>, of words whose first two tokens differ; nine layers",
                        DyckRecognizerWithoutStart.SOURCE,
                        TYPES + LENGTH + WORD_DEPTH,
                        settings -> new BracketRun(
                                new DyckRecognizerWithoutStart(tokens(settings), wordConstants(settings)),
                                BracketLanguage.DYCK)),
                new Catalogue.Entry<>(
                        "dyck-generator-without-start",
                        "dyck-generator without <bos>, of prefixes whose first two tokens differ; four layers",
                        DyckGeneratorWithoutStart.SOURCE,
                        process(BracketLanguage.DYCK) + LENGTH + PREFIX_DEPTH + TOLERANCE,
                        settings -> new BracketRun(
                                new DyckGeneratorWithoutStart(
                                        HierarchyTasks.process(BracketLanguage.DYCK, settings),
                                        prefixConstants(settings),
                                        settings.requiredReal("tolerance")),
                                BracketLanguage.DYCK)));
    }

    private static String process(BracketLanguage language) {
        return language == BracketLanguage.DYCK
                ? HierarchyTasks.table(language, "2", "0.5", "0.9")
                : HierarchyTasks.table(language, "2", "0.3", "0.97");
    }

    private static ConstructionRun recognizer(Settings settings) {
        var variant = settings.flag("recover") ? DyckRecognizer.Variant.recovering() : DyckRecognizer.Variant.plain();
        return new BracketRun(
                new DyckRecognizer(tokens(settings), wordConstants(settings), variant), BracketLanguage.DYCK);
    }

    private static BracketTokens tokens(Settings settings) {
        return new BracketTokens(settings.requiredInteger("k", 1, BracketTokens.MAX_TYPES));
    }

    private static int maxLength(Settings settings) {
        return settings.requiredInteger("maxLength", 1, MAX_LENGTH);
    }

    private static DyckConstants wordConstants(Settings settings) {
        int maxLength = maxLength(settings);
        return DyckConstants.of(
                maxLength, settings.integer("maxDepth", 1, maxLength).orElse(Math.max(1, maxLength / 2)));
    }

    private static DyckConstants prefixConstants(Settings settings) {
        int maxLength = maxLength(settings);
        return DyckConstants.of(maxLength, settings.requiredInteger("maxDepth", 1, maxLength));
    }

    /**
     * Reads brackets. A recognizer returns whether they are a word of the language, and its score. A generator returns
     * the probabilities of the next token after the brackets.
     */
    private record BracketRun(BracketTransformer transformer, BracketLanguage language) implements ModelRun {

        @Override
        public Construction construction() {
            return transformer;
        }

        @Override
        public Map<String, Object> answer(LanguageModel model, String line) {
            BracketTokens tokens = transformer.tokens();
            int[] brackets = tokens.ids(line);
            boolean recognizes = model.architecture().output().kind() == OutputOptions.Kind.REGRESSION;
            check(brackets, !recognizes);
            int[] input = transformer.input(brackets);
            double[] logits = model.lastLogits(Batch.of(List.of(input)));
            Map<String, Object> answer = new LinkedHashMap<>();
            if (recognizes) {
                answer.put("member", logits[0] > 0);
                answer.put("score", logits[0]);
            } else {
                Map<String, Double> next = new LinkedHashMap<>();
                double[] probabilities = BracketTransformer.softmax(logits, 0, logits.length);
                for (int token = 0; token < probabilities.length; token++) {
                    next.put(transformer.vocabulary().symbol(token), probabilities[token]);
                }
                answer.put("next", next);
            }
            return answer;
        }

        private void check(int[] brackets, boolean prefixesAlone) {
            BracketTokens tokens = transformer.tokens();
            if (brackets.length > transformer.maxLength()) {
                throw new IllegalArgumentException(
                        "input: expected at most " + transformer.maxLength() + " brackets, got " + brackets.length);
            }
            int depth = tokens.depth(brackets);
            if (depth > transformer.maxInputDepth()) {
                throw new IllegalArgumentException(
                        "input: expected a depth of at most " + transformer.maxInputDepth() + ", got " + depth);
            }
            if (!transformer.hasStart()
                    && (brackets.length == 0 || (brackets.length > 1 && brackets[0] == brackets[1]))) {
                throw new IllegalArgumentException("input: expected two different brackets at the beginning, got "
                        + (brackets.length == 0 ? "none" : tokens.text(brackets[0], brackets[1])));
            }
            if (prefixesAlone && !language.isPrefix(tokens, brackets)) {
                throw new IllegalArgumentException("input: expected the beginning of a word of " + language.label()
                        + ", got " + tokens.text(brackets));
            }
        }
    }
}
