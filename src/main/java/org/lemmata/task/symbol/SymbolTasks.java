package org.lemmata.task.symbol;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.Task;
import org.lemmata.task.TaskProvider;
import org.lemmata.task.symbol.TemplateTask.Templates;

/** The tasks of Boix-Adsera et al. (2024). */
public final class SymbolTasks implements TaskProvider {

    /** The maximum length of the majority task, which has 2^(length - 1) templates. */
    private static final int MAX_MAJORITY = 16;

    private static final int MAX_TEMPLATES = 1 << 12;

    private static final int MAX_LENGTH = 1 << 12;

    private static final String SYMBOLS = """
        alphabet | 1000 | n, the number of symbols that replace wildcards in training
        heldOut | 100 | the number of further symbols for validation, and of others for the test
        cls | %s | whether [CLS] ends every string
        """;

    private static final String ALPHABET = SYMBOLS.formatted(true);

    /** The settings of tasks with symbols as labels, which are next tokens. */
    private static final String NEXT = SYMBOLS.formatted(false);

    private static final String NOISE =
            "noise | 0 | standard deviation of the noise that is added to labels of training\n";

    @Override
    public List<Catalogue.Entry<Task>> entries() {
        return List.of(
                numbers("same-different", "1 for $a $a, -1 for $a $b", "1 $a $a | -1 $a $b"),
                numbers("aba-abb", "1 for $a $b $a, -1 for $a $b $b", "1 $a $b $a | -1 $a $b $b"),
                numbers("aabb-abab", "1 for $a $a $b $b, -1 for $a $b $a $b", "1 $a $a $b $b | -1 $a $b $a $b"),
                numbers(
                        "real-programs",
                        "1 or -1: which of the numbers 1 and -1 a program prints whose variables are wildcards",
                        "1 $a = 1 ; $b = -1 ; print ( $a ) | -1 $a = 1 ; $b = -1 ; print ( $b )"),
                numbers(
                        "real-word-problem",
                        "a word problem whose answer is always 5",
                        "5 If $a gives $b 5 $c , how many $c does $b have ?"),
                symbols(
                        "symbolic-programs",
                        "the symbol that a program prints, whose variables and values are wildcards",
                        "$c $a = \" $c \" ; $b = \" $d \" ; print ( $a )"
                                + " | $d $a = \" $c \" ; $b = \" $d \" ; print ( $b )"),
                symbols("copying", "the only symbol of the string", "$a $a"),
                symbols(
                        "word-problem",
                        "a word problem; the answer is the wildcard that stands for the number",
                        "$d If $a gives $b $d $c , how many $c does $b have ?"),
                entry(
                        "majority",
                        "1 if the first symbol is more than half of the others, else -1; a string has at most two"
                                + " symbols",
                        Setting.table(
                                "length | 4 | k, symbols of a string, from 2 to " + MAX_MAJORITY + "\n" + ALPHABET),
                        settings -> TemplateSets.majority(settings.requiredInteger("length", 2, MAX_MAJORITY))),
                entry(
                        "random-templates",
                        "the label of random templates, which are centered with mean square 1",
                        Setting.table("""
                            templates | 2 | r, how many, from 2 to %s
                            length | 5 | symbols of a template
                            wildcards | 2 | size of the alphabet of wildcards
                            tokens | 0 | size of the alphabet of regular tokens
                            disjoint | false | whether no string matches two templates, as the theorems require; the
                              experiments do not
                            draw | 1 | the seed of templates and labels
                            """.formatted(MAX_TEMPLATES) + ALPHABET),
                        SymbolTasks::randomTemplates),
                own(
                        "real-templates",
                        "the number of the template that a string matches",
                        "1 $a $a | -1 $a $b",
                        NOISE + ALPHABET,
                        settings -> TemplateSets.ofNumbers(templates(settings), settings.requiredReal("noise"))),
                own(
                        "symbolic-templates",
                        "the symbol that labels the template that a string matches",
                        "$a print ( $a )",
                        NEXT,
                        settings -> TemplateSets.ofSymbols(templates(settings))));
    }

    private static String templates(Settings settings) {
        return settings.required("templates", "labels with templates");
    }

    private static Templates randomTemplates(Settings settings) {
        int tokens = settings.requiredInteger("tokens", 0, MAX_LENGTH);
        return TemplateSets.random(
                new SplittableRandom(settings.seed("draw")),
                settings.requiredInteger("templates", 2, MAX_TEMPLATES),
                settings.requiredInteger("length", 1, MAX_LENGTH),
                settings.requiredInteger("wildcards", tokens == 0 ? 1 : 0, MAX_LENGTH),
                tokens,
                settings.flag("disjoint"));
    }

    private static Catalogue.Entry<Task> numbers(String name, String description, String templates) {
        return entry(
                name,
                description,
                Setting.table(NOISE + ALPHABET),
                settings -> TemplateSets.ofNumbers(templates, settings.requiredReal("noise")));
    }

    private static Catalogue.Entry<Task> symbols(String name, String description, String templates) {
        return entry(name, description, Setting.table(NEXT), any -> TemplateSets.ofSymbols(templates));
    }

    private static Catalogue.Entry<Task> own(
            String name, String description, String example, String table, Function<Settings, Templates> templates) {
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting(
                "templates", example, "labels, each with a template, wildcards with $; and | in between, if several"));
        settings.addAll(Setting.table(table));
        return entry(name, description, settings, templates);
    }

    private static Catalogue.Entry<Task> entry(
            String name, String description, List<Setting> table, Function<Settings, Templates> templates) {
        return new Catalogue.Entry<>(
                name,
                description,
                TemplateTask.SOURCE,
                table,
                settings -> new TemplateTask(
                        name,
                        templates.apply(settings),
                        new Alphabet(
                                settings.requiredInteger("alphabet", 1, Alphabet.MAX_SYMBOLS),
                                settings.requiredInteger("heldOut", 1, Alphabet.MAX_SYMBOLS)),
                        settings.flag("cls")));
    }
}
