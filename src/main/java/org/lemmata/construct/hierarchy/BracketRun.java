package org.lemmata.construct.hierarchy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ModelRun;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.OutputOptions;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.token.Batch;

/**
 * Answers a word by whether it is in the language and the score that says so, or, of a generator, a prefix by the
 * probabilities of the next token.
 *
 * @param transformer a recognizer or a generator
 * @param language of its words
 */
record BracketRun(BracketTransformer transformer, BracketLanguage language) implements ModelRun {

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
        int[] input = BracketInputs.of(transformer, brackets);
        double[] logits = model.lastLogits(Batch.of(List.of(input)));
        Map<String, Object> answer = new LinkedHashMap<>();
        if (recognizes) {
            answer.put("member", logits[0] > 0);
            answer.put("score", logits[0]);
        } else {
            Map<String, Double> next = new LinkedHashMap<>();
            double[] probabilities = BracketInputs.softmax(logits, 0, logits.length);
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
        if (!transformer.hasStart() && (brackets.length == 0 || (brackets.length > 1 && brackets[0] == brackets[1]))) {
            throw new IllegalArgumentException("input: expected brackets the first two of which differ, got "
                    + (brackets.length == 0 ? "none" : tokens.text(brackets[0], brackets[1])));
        }
        if (prefixesAlone && !language.isPrefix(tokens, brackets)) {
            throw new IllegalArgumentException("input: expected the beginning of a word of " + language.label()
                    + ", got " + tokens.text(brackets));
        }
    }
}
