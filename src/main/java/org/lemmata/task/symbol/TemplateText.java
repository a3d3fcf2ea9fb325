package org.lemmata.task.symbol;

import it.unimi.dsi.fastutil.objects.Object2IntLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2IntMap;
import java.util.ArrayList;
import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * Templates as text: symbols between blanks, of which those that begin with $ are wildcards. Regular tokens get their
 * ids in the order in which they come first, over all templates that one reader reads; so do the wildcards of each.
 */
final class TemplateText {

    private static final String WILDCARD = "$";

    private final Object2IntMap<String> tokens = new Object2IntLinkedOpenHashMap<>();

    /** A template, and what it is labelled with, read by the same names. */
    record Labelled(Template template, int label) {}

    /** The regular tokens read so far, by their ids. */
    List<String> tokens() {
        return List.copyOf(tokens.keySet());
    }

    /** The template of a text. */
    Template read(String text) {
        return new Template(symbols(text, new ArrayList<>()));
    }

    /**
     * A template with a symbol as its label.
     *
     * @throws IllegalArgumentException if the label is a wildcard that the template does not have
     */
    Labelled read(String label, String text) {
        List<String> wildcards = new ArrayList<>();
        var template = new Template(symbols(text, wildcards));
        if (label.startsWith(WILDCARD) && !wildcards.contains(label)) {
            throw new IllegalArgumentException(
                    "templates: expected a label among the wildcards " + wildcards + ", got " + Refuse.quoted(label));
        }
        return new Labelled(template, symbol(label, wildcards));
    }

    private int[] symbols(String text, List<String> wildcards) {
        String[] words = text.strip().split("\\s+", -1);
        int[] symbols = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            symbols[i] = symbol(words[i], wildcards);
        }
        return symbols;
    }

    private int symbol(String word, List<String> wildcards) {
        if (!word.startsWith(WILDCARD)) {
            return tokens.computeIfAbsent(word, any -> tokens.size());
        }
        if (!wildcards.contains(word)) {
            wildcards.add(word);
        }
        return -1 - wildcards.indexOf(word);
    }
}
