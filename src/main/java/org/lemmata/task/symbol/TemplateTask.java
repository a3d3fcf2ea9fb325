package org.lemmata.task.symbol;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * Strings from templates. A template is drawn uniformly, and its wildcards are replaced by distinct symbols, drawn
 * uniformly from the symbols of training, validation or test. The answer at the last position is the template's label:
 * a number, a regular token, or the symbol that replaces a wildcard. Optionally, every string ends with [CLS].
 *
 * <p>The vocabulary has the regular tokens, [CLS] if it is used, then the symbols of training, validation and test.
 *
 * <p>Source: Boix-Adsera et al. (2024), definitions 3.2 and J.1, appendices A and B.
 */
public final class TemplateTask extends Task {

    public static final Source SOURCE = new Source(Paper.SYMBOL, "definitions 3.2 and J.1, appendices A and B");

    private static final String CLS = "[CLS]";

    /** The maximum noise. With it, labels stay finite in binary32. */
    private static final double MAX_NOISE = 1e30;

    private final Templates templates;
    private final Alphabet alphabet;
    private final Alphabet.Part part;
    private final boolean cls;

    /** The id of the first symbol of this part (training, validation or test). */
    private final int start;

    private final int defaultLength;

    /**
     * Templates with their labels.
     *
     * @param tokens names of the regular tokens, by id
     * @param labels numbers, one per template; empty if {@code symbols} has the labels
     * @param symbols tokens or wildcards, one per template; empty if {@code labels} has the labels
     * @param noise standard deviation of the noise added to numbers in training, at most 1e30
     */
    @SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
    record Templates(List<String> tokens, List<Template> templates, double[] labels, int[] symbols, double noise) {

        Templates {
            tokens = List.copyOf(tokens);
            templates = List.copyOf(templates);
            if (templates.isEmpty() || Math.max(labels.length, symbols.length) != templates.size()) {
                throw new IllegalArgumentException("templates: expected at least one, each with a label, got "
                        + templates.size() + " with " + Math.max(labels.length, symbols.length));
            }
            Refuse.when(!(noise >= 0 && noise <= MAX_NOISE), "noise", "a finite number from 0 to " + MAX_NOISE, noise);
            Refuse.when(noise > 0 && labels.length == 0, "noise", "0 where labels are symbols", noise);
        }

        static Templates ofNumbers(List<String> tokens, List<Template> templates, double[] labels, double noise) {
            return new Templates(tokens, templates, labels, new int[0], noise);
        }

        int wildcards() {
            return templates.stream().mapToInt(Template::wildcards).max().orElseThrow();
        }
    }

    TemplateTask(String name, Templates templates, Alphabet alphabet, boolean cls) {
        this(name, templates, alphabet, Alphabet.Part.TRAINING, cls, vocabulary(templates.tokens(), alphabet, cls));
    }

    private TemplateTask(
            String name,
            Templates templates,
            Alphabet alphabet,
            Alphabet.Part part,
            boolean cls,
            Vocabulary vocabulary) {
        super(name, SOURCE, vocabulary);
        Refuse.below("alphabet", alphabet.training(), templates.wildcards());
        Refuse.below("heldOut", alphabet.heldOut(), templates.wildcards());
        this.templates = templates;
        this.alphabet = alphabet;
        this.part = part;
        this.cls = cls;
        this.start = templates.tokens().size() + (cls ? 1 : 0) + alphabet.start(part);
        int longest = templates().stream().mapToInt(Template::length).max().orElseThrow();
        this.defaultLength = longest + (cls ? 1 : 0);
    }

    private static Vocabulary vocabulary(List<String> tokens, Alphabet alphabet, boolean cls) {
        List<String> symbols = new ArrayList<>(tokens);
        if (cls) {
            symbols.add(CLS);
        }
        for (Alphabet.Part part : Alphabet.Part.values()) {
            symbols.addAll(alphabet.symbols(part));
        }
        return new Vocabulary(symbols);
    }

    private TemplateTask with(Alphabet.Part other) {
        return new TemplateTask(name(), templates, alphabet, other, cls, vocabulary());
    }

    @Override
    public Task validation() {
        return with(Alphabet.Part.VALIDATION);
    }

    @Override
    public Task test() {
        return with(Alphabet.Part.TEST);
    }

    @Override
    public Optional<Task> outOfSample() {
        return Optional.of(test());
    }

    @Override
    public List<String> symbols() {
        return vocabulary().symbols().subList(start, start + alphabet.size(part));
    }

    /** The templates, with ids of {@link #vocabulary}. */
    public List<Template> templates() {
        return templates.templates();
    }

    @Override
    public int defaultLength() {
        return defaultLength;
    }

    @Override
    public Example sample(RandomGenerator random, int length) {
        Refuse.below("length", length, defaultLength());
        int drawn = random.nextInt(templates().size());
        Template template = templates().get(drawn);
        int[] tokens = distinct(random, template.wildcards());
        int[] string = template.filled(tokens, cls ? 1 : 0);
        if (cls) {
            string[string.length - 1] = templates.tokens().size();
        }
        if (templates.labels().length == 0) {
            int target = template.filled(templates.symbols()[drawn], tokens);
            return new Example(string, new int[] {target}, new int[] {string.length - 1});
        }
        double noise = templates.noise() == 0 || part != Alphabet.Part.TRAINING
                ? 0
                : templates.noise() * random.nextGaussian();
        return Example.regression(string, (float) (templates.labels()[drawn] + noise));
    }

    /**
     * Draws distinct symbols of this part uniformly. Few are drawn, so a search for repetitions is faster than a table.
     */
    private int[] distinct(RandomGenerator random, int count) {
        int[] tokens = new int[count];
        for (int i = 0; i < count; ) {
            int token = start + random.nextInt(alphabet.size(part));
            boolean isNew = true;
            for (int j = 0; j < i; j++) {
                isNew &= tokens[j] != token;
            }
            if (isNew) {
                tokens[i++] = token;
            }
        }
        return tokens;
    }

    /** Whether a string matches a template, with symbols of this part in place of wildcards. */
    @Override
    public boolean accepts(int... ids) {
        for (int id : ids) {
            Refuse.outside("id", id, 0, vocabulary().size() - 1);
        }
        int[] string = ids;
        if (cls) {
            if (ids.length == 0 || ids[ids.length - 1] != vocabulary().id(CLS)) {
                return false;
            }
            string = Arrays.copyOf(ids, ids.length - 1);
        }
        for (Template template : templates()) {
            if (template.matches(string) && isOwn(string, template)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOwn(int[] string, Template template) {
        var regular = new IntOpenHashSet(template.symbols());
        for (int token : string) {
            if (!regular.contains(token) && (token < start || token >= start + alphabet.size(part))) {
                return false;
            }
        }
        return true;
    }
}
