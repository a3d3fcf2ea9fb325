package org.lemmata.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/**
 * A JMH command line.
 *
 * @param includes regular expressions of benchmarks; empty for all
 * @param forks the value of {@code -f}, if given
 * @param options all other options with their values
 * @param listing whether JMH only prints information ({@code -l}, {@code -lp}, {@code -lprof}, {@code -lrf},
 *     {@code -h})
 */
public record JmhArguments(List<String> includes, OptionalInt forks, List<String> options, boolean listing) {

    private static final Set<String> LISTINGS = Set.of("-l", "-lp", "-lprof", "-lrf", "-h");

    /** Options that only Lemmata sets. If the user set an output file, each fork would overwrite it. */
    private static final Set<String> OURS = Set.of("-rf", "-rff", "-foe", "-o");

    private static final Set<String> REPEATABLE =
            Set.of("-p", "-prof", "-e", "-jvmArgs", "-jvmArgsAppend", "-jvmArgsPrepend");

    private static final Pattern FORKS = Pattern.compile("\\+?0*[1-9]\\d{0,8}");

    /** A word, in which quoted parts may contain blanks. */
    private static final Pattern WORD = Pattern.compile("(?:[^\\p{javaWhitespace}\"]++|\"[^\"]*+\")+");

    /**
     * Reads the words of a command line.
     *
     * @throws IllegalArgumentException if an option has no value, is repeated although it takes only one value, or is
     *     reserved for this program, or if {@code -f} is below 1
     */
    public static JmhArguments parse(List<String> words) {
        var includes = new ArrayList<String>();
        var options = new ArrayList<String>();
        var seen = new ArrayList<String>();
        OptionalInt forks = OptionalInt.empty();
        boolean listing = false;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (LISTINGS.contains(word)) {
                listing = true;
                options.add(word);
            } else if (!word.startsWith("-") || word.length() == 1) {
                includes.add(word);
            } else {
                if (word.startsWith("--")) {
                    throw new IllegalArgumentException(
                            word + ": unknown option; bench --help lists those of bench, bench --args=-h those of JMH");
                }
                int equals = word.indexOf('=');
                String option = equals < 0 ? word : word.substring(0, equals);
                Refuse.when(equals < 0 && i + 1 == words.size(), option, "a value", "none");
                String value = equals < 0 ? words.get(++i) : word.substring(equals + 1);
                boolean again = seen.contains(option) && !REPEATABLE.contains(option);
                Refuse.when(again, option, "once", "also " + option + " " + value);
                seen.add(option);
                if (OURS.contains(option)) {
                    throw new IllegalArgumentException(option + " " + value
                            + ": expected to be left out: results are JMH's JSON under jmh-results, by --name,"
                            + " JMH's output is under target/bench, and a benchmark that fails always fails the run");
                }
                if (option.equals("-f")) {
                    Refuse.when(!FORKS.matcher(value).matches(), option, "at least 1", value);
                    forks = OptionalInt.of(Integer.parseInt(value));
                } else {
                    options.add(option);
                    options.add(value);
                }
            }
        }
        return new JmhArguments(includes, forks, options, listing);
    }

    /** A copy in which options of {@code other} replace those of the same name. The benchmarks and the listing stay. */
    JmhArguments overriddenBy(JmhArguments other) {
        // If both parts set a parameter, JMH would use the values of both.
        JmhArguments rest = without((option, value) ->
                option.equals("-p") ? other.parameters().contains(parameter(value)) : other.options.contains(option));
        return new JmhArguments(
                includes,
                other.forks.isPresent() ? other.forks : forks,
                Stream.concat(rest.options.stream(), other.options.stream()).toList(),
                listing);
    }

    /** A copy without {@code -p}: parameters have their annotated values. */
    JmhArguments withoutParameters() {
        return without((option, _) -> option.equals("-p"));
    }

    private JmhArguments without(BiPredicate<String, String> left) {
        var others = new ArrayList<String>();
        for (int i = 0; i < options.size(); i += 2) {
            if (!left.test(options.get(i), options.get(i + 1))) {
                others.addAll(options.subList(i, i + 2));
            }
        }
        return new JmhArguments(includes, forks, others, listing);
    }

    List<String> parameters() {
        return values("-p").stream().map(JmhArguments::parameter).toList();
    }

    /** The name in "name=value,value". */
    private static String parameter(String text) {
        return text.split("=", 2)[0];
    }

    /** Whether the options include a profiler. Profilers change measurements. */
    public boolean profiles() {
        return options.contains("-prof");
    }

    /** Every value of an option, in order; empty if the option is not given. */
    List<String> values(String name) {
        var values = new ArrayList<String>();
        for (int i = 0; i + 1 < options.size(); i++) {
            if (options.get(i).equals(name)) {
                values.add(options.get(++i));
            }
        }
        return values;
    }

    /** Splits a text into words at blanks. Text in double quotes is part of one word; an unclosed quote is an error. */
    public static List<String> words(String text) {
        if (text.chars().filter(c -> c == '"').count() % 2 == 1) {
            throw new IllegalArgumentException("expected a closing double quote in: " + text);
        }
        return WORD.matcher(text)
                .results()
                .map(word -> word.group().replace("\"", ""))
                .toList();
    }
}
