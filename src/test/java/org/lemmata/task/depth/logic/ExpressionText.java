package org.lemmata.task.depth.logic;

import java.util.List;
import java.util.regex.Pattern;

/** Parses expressions from text with or without blanks, with ¬ for ~. */
final class ExpressionText {

    private static final Pattern TOKENS = Pattern.compile("p\\d|<\\w+>|false|true|[&|~=()]");

    private ExpressionText() {}

    static int[] ids(BooleanLanguage language, String text) {
        List<String> symbols = language.vocabulary().symbols();
        return TOKENS.matcher(text.replace('¬', '~'))
                .results()
                .mapToInt(token -> symbols.indexOf(token.group()))
                .toArray();
    }

    static TruthTable evaluate(BooleanLanguage language, String text) {
        return language.evaluate(ids(language, text));
    }
}
