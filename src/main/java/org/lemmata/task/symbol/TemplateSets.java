package org.lemmata.task.symbol;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.objects.Object2IntLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2IntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.task.symbol.TemplateTask.Templates;

/** Sets of labelled templates: from text, for the majority task, or random. */
final class TemplateSets {

    /** The maximum number of draws for a further template that is new and, if required, disjoint from the others. */
    private static final int MAX_DRAWS = 10_000;

    private static final String WILDCARD = "$";
    private static final String BETWEEN_TEMPLATES = "\\|";

    private TemplateSets() {}

    /** Templates with numbers as labels, such as "1 $a $a | -1 $a $b". */
    static Templates ofNumbers(String text, double noise) {
        var reader = new TemplateText();
        List<Template> templates = new ArrayList<>();
        var labels = new DoubleArrayList();
        for (String[] parts : parts(text)) {
            labels.add(number(parts[0]));
            templates.add(reader.read(parts[1]));
        }
        return Templates.ofNumbers(reader.tokens(), disjoint(templates), labels.toDoubleArray(), noise);
    }

    /** Templates with symbols as labels, such as "$a print ( $a )". */
    static Templates ofSymbols(String text) {
        var reader = new TemplateText();
        List<Template> templates = new ArrayList<>();
        var labels = new IntArrayList();
        for (String[] parts : parts(text)) {
            templates.add(reader.read(parts[1]));
            labels.add(reader.label(parts[0]));
        }
        return new Templates(reader.tokens(), disjoint(templates), new double[0], labels.toIntArray(), 0);
    }

    private static List<String[]> parts(String text) {
        return Arrays.stream(text.split(BETWEEN_TEMPLATES, -1))
                .map(template -> {
                    String[] parts = template.strip().split("\\s+", 2);
                    if (parts.length < 2) {
                        throw new IllegalArgumentException(
                                "templates: expected labels, each with a template after a blank, and | in between, got "
                                        + Refuse.quoted(text));
                    }
                    return parts;
                })
                .toList();
    }

    private static double number(String text) {
        try {
            double number = Refuse.number(text);
            if (!Float.isFinite((float) number)) {
                throw new NumberFormatException(text);
            }
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "templates: expected a finite number of binary32 as the label, got " + Refuse.quoted(text), e);
        }
    }

    /** Checks a user's templates, so that each string has only one label. */
    private static List<Template> disjoint(List<Template> templates) {
        for (int i = 0; i < templates.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (!templates.get(i).isDisjointFrom(templates.get(j))) {
                    throw new IllegalArgumentException("templates: expected disjoint ones, got a string that matches"
                            + " numbers " + (j + 1) + " and " + (i + 1));
                }
            }
        }
        return templates;
    }

    /**
     * All 2^(k-1) templates of {alpha} x {alpha, beta}^(k-1), labelled 1 if alpha is the majority of the last k - 1
     * symbols, otherwise -1.
     */
    static Templates majority(int length) {
        int count = 1 << (length - 1);
        double[] labels = new double[count];
        List<Template> templates = new ArrayList<>();
        for (int betas = 0; betas < count; betas++) {
            int[] symbols = new int[length];
            for (int i = 0; i < length; i++) {
                symbols[i] = i > 0 && (betas >> (i - 1) & 1) == 1 ? -2 : -1;
            }
            templates.add(new Template(symbols));
            labels[betas] = 2 * Integer.bitCount(betas) < length - 1 ? 1 : -1;
        }
        return Templates.ofNumbers(List.of(), templates, labels, 0);
    }

    /**
     * Templates of (W u X)^k, with wildcards W and regular tokens X, each uniform among those that differ from the
     * earlier ones. Labels are normally distributed, then centered and scaled to a mean square of 1; for two templates
     * they are 1 and -1.
     *
     * @param disjoint whether no string may match two templates. The paper does not require this: $a $b and $b $a
     *     differ, but a string matches either both or neither
     */
    static Templates random(
            RandomGenerator random, int count, int length, int wildcards, int tokens, boolean disjoint) {
        SequencedSet<Template> templates = new LinkedHashSet<>();
        for (int tries = 0; templates.size() < count; tries++) {
            if (tries == MAX_DRAWS) {
                throw new IllegalArgumentException("templates: expected at most " + templates.size()
                        + " of this length and these alphabets, got " + count);
            }
            int[] symbols = new int[length];
            Arrays.setAll(symbols, i -> random.nextInt(-wildcards, tokens));
            var template = new Template(symbols);
            if ((!disjoint || templates.stream().allMatch(template::isDisjointFrom)) && templates.add(template)) {
                tries = 0;
            }
        }
        return Templates.ofNumbers(
                IntStream.rangeClosed(1, tokens).mapToObj(i -> "x" + i).toList(),
                List.copyOf(templates),
                standardized(random, count),
                0);
    }

    private static double[] standardized(RandomGenerator random, int count) {
        double[] labels = new double[count];
        Arrays.setAll(labels, i -> random.nextGaussian());
        double mean = Arrays.stream(labels).average().orElseThrow();
        double scale = Math.sqrt(Arrays.stream(labels)
                .map(y -> (y - mean) * (y - mean))
                .average()
                .orElseThrow());
        return Arrays.stream(labels).map(y -> (y - mean) / scale).toArray();
    }

    /**
     * Reads templates from text. Symbols are separated by blanks; a symbol that begins with $ is a wildcard. Regular
     * tokens are numbered by first occurrence in all templates of a reader, wildcards by first occurrence in their
     * template.
     */
    private static final class TemplateText {

        private final Object2IntMap<String> tokens = new Object2IntLinkedOpenHashMap<>();

        /** The wildcards of the latest template. */
        private final List<String> wildcards = new ArrayList<>();

        List<String> tokens() {
            return List.copyOf(tokens.keySet());
        }

        Template read(String text) {
            wildcards.clear();
            return new Template(Arrays.stream(text.strip().split("\\s+", -1))
                    .mapToInt(this::symbol)
                    .toArray());
        }

        /**
         * The label of the latest template: a regular token, or one of the template's wildcards.
         *
         * @throws IllegalArgumentException if the label is a wildcard that the template does not have
         */
        int label(String label) {
            if (label.startsWith(WILDCARD) && !wildcards.contains(label)) {
                throw new IllegalArgumentException("templates: expected a label among the wildcards " + wildcards
                        + ", got " + Refuse.quoted(label));
            }
            return symbol(label);
        }

        private int symbol(String word) {
            if (!word.startsWith(WILDCARD)) {
                return tokens.computeIfAbsent(word, any -> tokens.size());
            }
            if (!wildcards.contains(word)) {
                wildcards.add(word);
            }
            return -1 - wildcards.indexOf(word);
        }
    }
}
