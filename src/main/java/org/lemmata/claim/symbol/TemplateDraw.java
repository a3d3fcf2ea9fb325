package org.lemmata.claim.symbol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.task.symbol.Template;

/**
 * A random task with real labels: pairwise disjoint templates of equal length that end with [CLS] (except after
 * {@link #withoutEnd}), and a label for each.
 *
 * <p>Token 0 is [CLS]. The regular tokens of templates follow, then the alphabet of the data.
 *
 * @param templates the templates; symbols from 0 on are tokens, negative ones are wildcards
 * @param labels f*, not all equal
 * @param regular the number of tokens before the alphabet
 */
// Labels are arrays everywhere in this package.
@SuppressWarnings("ArrayRecordComponent")
record TemplateDraw(List<Template> templates, double[] labels, int regular) {

    @SuppressWarnings("ArrayRecordComponent")
    record Samples(List<int[]> strings, int[] template, double[] labels) {

        double[] counts(int templates) {
            double[] counts = new double[templates];
            Arrays.stream(template).forEach(t -> counts[t]++);
            return counts;
        }

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
     * Draws disjoint templates. The first two have the labels -1 and 1, all others have random labels in between.
     *
     * @param count the number of templates, at least 2, and at most the number of partitions of the positions
     * @param length the number of tokens before [CLS]
     * @param regular the number of regular tokens besides [CLS]; there are as many wildcards as positions
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

    TemplateDraw withoutEnd() {
        return new TemplateDraw(
                templates.stream()
                        .map(z -> new Template(Arrays.copyOf(z.symbols(), z.length() - 1)))
                        .toList(),
                labels,
                regular);
    }

    /**
     * A task with two templates of two symbols, or two to four templates of three symbols; regular tokens are optional.
     */
    static TemplateDraw any(RandomGenerator random) {
        int length = random.nextInt(2, 4);
        return of(length == 2 ? 2 : random.nextInt(2, 5), length, random.nextInt(2), random);
    }

    /**
     * A random string of a template. The wildcards become distinct tokens from {@code first} to {@code first + alphabet
     * - 1}.
     */
    int[] string(int template, int first, int alphabet, RandomGenerator random) {
        int[] map = IntStream.generate(() -> random.nextInt(alphabet))
                .distinct()
                .limit(wildcards(template))
                .toArray();
        return Arrays.stream(templates.get(template).symbols())
                .map(symbol -> symbol >= 0 ? symbol : first + map[-1 - symbol])
                .toArray();
    }

    /** The number of wildcard names up to the last name that a template uses. */
    private int wildcards(int template) {
        return Math.max(
                0, -Arrays.stream(templates.get(template).symbols()).min().orElseThrow());
    }

    /** A string of a template in which tokens outside the alphabet replace the wildcards. */
    int[] unseen(int template, int alphabet) {
        return Arrays.stream(templates.get(template).symbols())
                .map(symbol -> symbol >= 0 ? symbol : regular + alphabet - 1 - symbol)
                .toArray();
    }

    /**
     * The exact mean of a function of strings, over all strings of a template with tokens of an alphabet of the given
     * size. The function may depend on the first {@code known} tokens, but must not change if other tokens are
     * exchanged.
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

    /** n samples with uniformly random templates and substitutions, and with normal noise added to labels. */
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

    /** The templates in letters: "a", "b", ... for wildcards, "A", "B", ... for regular tokens, and "." for [CLS]. */
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
