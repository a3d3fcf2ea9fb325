package org.lemmata.claim.symbol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.task.symbol.Template;

/**
 * A drawn task with real labels: pairwise disjoint templates of one length that end with [CLS], and a label of each.
 *
 * <p>Token 0 is [CLS], then come the regular tokens of templates, then the alphabet of the data.
 *
 * @param templates with regular tokens from 0 on
 * @param labels f*, not all alike
 * @param regular how many tokens are not of the alphabet
 */
// An array, as labels are everywhere here.
@SuppressWarnings("ArrayRecordComponent")
record TemplateDraw(List<Template> templates, double[] labels, int regular) {

    /**
     * Labelled samples.
     *
     * @param template which one each is of
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Samples(List<int[]> strings, int[] template, double[] labels) {

        /** How many samples each of {@code templates} templates has. */
        double[] counts(int templates) {
            double[] counts = new double[templates];
            Arrays.stream(template).forEach(t -> counts[t]++);
            return counts;
        }

        /** The mean label of each. */
        double[] means(int templates) {
            double[] counts = counts(templates);
            double[] means = new double[templates];
            for (int i = 0; i < labels.length; i++) {
                means[template[i]] += labels[i] / counts[template[i]];
            }
            return means;
        }
    }

    /**
     * Draws templates until they are disjoint; the first have the labels -1 and 1, further ones some between.
     *
     * @param count of templates, at least 2 and at most as many as there are ways in which the positions can be alike
     * @param length before [CLS]
     * @param regular of tokens besides [CLS]; wildcards are as many as there are positions
     */
    static TemplateDraw of(int count, int length, int regular, RandomGenerator random) {
        List<Template> templates = new ArrayList<>();
        while (templates.size() < count) {
            int[] symbols = new int[length + 1];
            for (int i = 0; i < length; i++) {
                symbols[i] = random.nextInt(-length, regular);
                symbols[i] += symbols[i] >= 0 ? 1 : 0;
            }
            var template = new Template(symbols);
            if (templates.stream().allMatch(template::isDisjointFrom)) {
                templates.add(template);
            }
        }
        double[] labels = random.doubles(count, -1, 1).toArray();
        labels[0] = -1;
        labels[1] = 1;
        return new TemplateDraw(templates, labels, regular + 1);
    }

    /** The same templates without [CLS]. */
    TemplateDraw withoutEnd() {
        return new TemplateDraw(
                templates.stream()
                        .map(z -> new Template(Arrays.copyOf(z.symbols(), z.length() - 1)))
                        .toList(),
                labels,
                regular);
    }

    /** Two templates of two symbols, or two to four of three; with or without a regular token. */
    static TemplateDraw any(RandomGenerator random) {
        int length = random.nextInt(2, 4);
        return of(length == 2 ? 2 : random.nextInt(2, 5), length, random.nextInt(2), random);
    }

    /** A string of a template whose wildcards have different tokens from {@code first} on, of {@code alphabet} ones. */
    int[] string(int template, int first, int alphabet, RandomGenerator random) {
        int[] map = IntStream.generate(() -> random.nextInt(alphabet))
                .distinct()
                .limit(wildcards(template))
                .toArray();
        return Arrays.stream(templates.get(template).symbols())
                .map(symbol -> symbol >= 0 ? symbol : first + map[-1 - symbol])
                .toArray();
    }

    /** How many names of wildcards a template needs. */
    private int wildcards(int template) {
        return Math.max(
                0, -Arrays.stream(templates.get(template).symbols()).min().orElseThrow());
    }

    /** A string of a template, none of whose tokens is in the alphabet of that size. */
    int[] unseen(int template, int alphabet) {
        return Arrays.stream(templates.get(template).symbols())
                .map(symbol -> symbol >= 0 ? symbol : regular + alphabet - 1 - symbol)
                .toArray();
    }

    /**
     * The mean of a function over the strings that a template makes over an alphabet, exactly, where the function tells
     * apart only the first {@code known} tokens of it.
     */
    double mean(int template, int known, double alphabet, ToDoubleFunction<int[]> of) {
        int wildcards = wildcards(template);
        double sum = 0;
        for (int code = 0; code < Math.pow(known + 1, wildcards); code++) {
            int[] y = unseen(template, known);
            double probability = 1;
            int left = known;
            boolean[] used = new boolean[known + 1];
            for (int wildcard = 0, rest = code; wildcard < wildcards; wildcard++, rest /= known + 1) {
                int token = rest % (known + 1);
                if (token == known) {
                    probability *= 1 - left / (alphabet - wildcard);
                    continue;
                }
                probability *= used[token] ? 0 : 1 / (alphabet - wildcard);
                used[token] = true;
                left--;
                int fresh = regular + known + wildcard;
                y = Arrays.stream(y)
                        .map(symbol -> symbol == fresh ? regular + token : symbol)
                        .toArray();
            }
            sum += probability * of.applyAsDouble(y);
        }
        return sum;
    }

    /** n samples, templates and substitutions uniform, with normal noise on labels. */
    Samples samples(int n, int alphabet, double noise, RandomGenerator random) {
        int[] template = random.ints(n, 0, templates.size()).toArray();
        List<int[]> strings = Arrays.stream(template)
                .mapToObj(t -> string(t, regular, alphabet, random))
                .toList();
        double[] ys = Arrays.stream(template)
                .mapToDouble(t -> labels[t] + noise * random.nextGaussian())
                .toArray();
        return new Samples(strings, template, ys);
    }

    /** With "a" and "b" for wildcards, "A" and "B" for regular tokens and "." for [CLS]. */
    @Override
    public String toString() {
        return templates.stream().map(z -> text(z.symbols())).toList().toString();
    }

    static String text(int... template) {
        var text = new StringBuilder();
        for (int symbol : template) {
            text.append(symbol == 0 ? '.' : (char) (symbol > 0 ? 'A' + symbol - 1 : 'a' - 1 - symbol));
        }
        return text.toString();
    }
}
