package org.lemmata.claim.hierarchy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.setting.Settings;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;

/** Hayakawa and Sato (2024), propositions 1 and 2 and lemma 1, about the processes and languages. */
final class Processes {

    private static final long SEED = 2_403;

    private static final String OF_PROCESSES = """
        k | 1..3 | 1,2 | bracket types
        q | [1e-30, 1) | 0.02,0.5,0.9 | probability of an opening bracket
        r | [1e-30, 1) | 0.02,0.5,0.9 | probability that a balanced word goes on
        maxLength | 1..8 | 6 | of the strings
        """;

    private static final String PROCESSES =
            "k = {k}, q of {q} and r of {r}, pi uniform and for k = 2 (0.05, 0.95), too;"
                    + " every string to length {maxLength}";

    /** Tolerance for rounding errors in sums of a few products in binary64. */
    private static final double ROUNDING = 1e-12;

    static final ComputedClaim PROPOSITION_1 = ComputedClaim.asStated("hierarchy.proposition-1", "proposition 1", """
        For any distribution over strings, the process that continues each prefix with the distribution's conditional
        probabilities produces each string with its probability, and no other string. (This is an identity; we check
        it in binary64.)
        """)
            .settings("""
                distributions | 1..10000 | 50 | how many are drawn
                maxLength | 1..12 | 6 | of the strings
                """)
            .range("""
                {distributions} random distributions over up to 12 strings of two symbols; every string to length
                {maxLength}
                """)
            .test((scope, computation) -> cylinders(scope.integer("distributions"), scope.integer("maxLength")));

    static final ComputedClaim PROPOSITION_2 = ComputedClaim.corrected("hierarchy.proposition-2", "proposition 2", """
        The Dyck_k process produces a word of n brackets with probability at least (1 - r) min(r pi_min, 1 - q, q
        pi_min)^n, and any other string with probability 0. Here r and q are the probabilities of an opening bracket at
        depth 0 and above it, and pi_min is the smallest probability of a bracket type.
        """)
            .settings(OF_PROCESSES)
            .range(PROCESSES)
            .test((scope, computation) -> positive(
                    scope.settings(), process -> Math.min(process.r() * least(process), least(process) * process.q())));

    static final ComputedClaim PROPOSITION_2_PRINTED = ComputedClaim.printed(
                    "hierarchy.proposition-2.printed", "Eq. 51", """
                    A step of the proof of proposition 2: with r, q and pi_min of hierarchy.proposition-2, the Dyck_k
                    process produces a word of n brackets with probability at least (1 - r) min(r, 1 - q, q pi_min)^n.
                    """)
            .settings(OF_PROCESSES)
            .range(PROCESSES)
            .test((scope, computation) ->
                    positive(scope.settings(), process -> Math.min(process.r(), least(process) * process.q())))
            .ofProof("proposition 2 says only that there is some positive bound, and one with r pi_min holds"
                    + " (hierarchy.proposition-2)");

    static final ComputedClaim LEMMA_1 = ComputedClaim.asStated("hierarchy.lemma-1", "lemma 1", """
        A string of brackets is a word of Shuffle-Dyck_k if and only if two conditions hold. At the end, the depth of
        all types together (opening minus closing brackets) is at most 0. After each bracket, the depth of its own type
        is at least 0.
        """)
            .settings("""
                k | 1..5 | 1,2,3 | bracket types
                maxLength | 1..12 | | of the strings; by default 8 for k = 1, 6 for k = 2 and 5 for more
                """)
            .range("every string to length 8 for k = 1, 6 for k = 2 and 5 for more, or to maxLength; k = {k}")
            .test((scope, computation) -> conditions(scope.settings()));

    private static double least(GenerationProcess process) {
        return process.opening().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    private static Finding cylinders(int distributions, int longest) {
        RandomGenerator random = Tally.random(SEED);
        var tally = new Tally();
        Tally.Extreme differences = tally.atMost("difference of probabilities", "", ROUNDING);
        for (int drawn = 0; drawn < distributions; drawn++) {
            Map<List<Integer>, Double> masses = distribution(longest, random);
            Map<List<Integer>, Double> cylinders = new HashMap<>();
            masses.forEach((string, mass) -> {
                for (int length = 0; length <= string.size(); length++) {
                    cylinders.merge(List.copyOf(string.subList(0, length)), mass, Double::sum);
                }
            });
            for (int length = 0; length <= longest; length++) {
                for (int[] string : Sequences.every(2, length)) {
                    List<Integer> word = Arrays.stream(string).boxed().toList();
                    double difference = Math.abs(produced(word, masses, cylinders) - masses.getOrDefault(word, 0.0));
                    differences.add(difference, () -> word + " is off by " + difference);
                }
            }
        }
        return tally.finding("every string has its probability", SEED);
    }

    private static Map<List<Integer>, Double> distribution(int longest, RandomGenerator random) {
        Map<List<Integer>, Double> masses = new HashMap<>();
        int strings = 1 + random.nextInt(12);
        for (int i = 0; i < strings; i++) {
            List<Integer> string = new ArrayList<>();
            random.ints(random.nextInt(longest), 0, 2).forEach(string::add);
            masses.put(List.copyOf(string), random.nextDouble(0.01, 1));
        }
        double sum = masses.values().stream().mapToDouble(Double::doubleValue).sum();
        masses.replaceAll((string, mass) -> mass / sum);
        return masses;
    }

    /**
     * The probability, by Eq. 47, that the process produces a word and then ends; 0 if a prefix has no continuation.
     */
    private static double produced(
            List<Integer> word, Map<List<Integer>, Double> masses, Map<List<Integer>, Double> cylinders) {
        double product = 1;
        for (int length = 0; length < word.size(); length++) {
            double here = cylinders.getOrDefault(word.subList(0, length), 0.0);
            if (here == 0) {
                return 0;
            }
            product *= cylinders.getOrDefault(word.subList(0, length + 1), 0.0) / here;
        }
        double here = cylinders.getOrDefault(word, 0.0);
        return here == 0 ? 0 : product * masses.getOrDefault(word, 0.0) / here;
    }

    private static Finding positive(Settings settings, ToDoubleFunction<GenerationProcess> leastOpening) {
        var tally = new Tally();
        Tally.Extreme least = tally.atLeast("probability of a word over the bound", "", 1 - ROUNDING);
        Tally.Extreme others = tally.atMost("probability of what is no word", "", 0);
        for (GenerationProcess process : everyProcess(settings)) {
            BracketTokens tokens = process.tokens();
            double factor = Math.min(leastOpening.applyAsDouble(process), 1 - process.q());
            for (int length = 0; length <= settings.integer("maxLength"); length++) {
                double bound = (1 - process.r()) * Math.pow(factor, length);
                for (int[] string : Sequences.every(tokens.brackets(), length)) {
                    double probability = probability(process, string);
                    if (BracketLanguage.DYCK.contains(tokens, string)) {
                        least.add(
                                probability / bound,
                                () -> "'" + tokens.text(string) + "' has probability " + probability + ", below "
                                        + bound + ", with q = " + process.q() + ", r = " + process.r() + ", pi = "
                                        + process.opening());
                    } else {
                        others.add(probability, () -> "'" + tokens.text(string) + "' is no word");
                    }
                }
            }
        }
        return tally.finding("every word has at least the bound, and every other string has probability 0");
    }

    private static List<GenerationProcess> everyProcess(Settings settings) {
        List<GenerationProcess> processes = new ArrayList<>();
        for (Settings one : settings.each("q", "r", "k")) {
            double q = one.number("q");
            double r = one.number("r");
            int types = one.integer("k");
            processes.add(GenerationProcess.dyck(types, q, r));
            if (types == 2) {
                processes.add(new GenerationProcess(
                        BracketLanguage.DYCK,
                        new BracketTokens(2),
                        q,
                        r,
                        List.of(0.05, 0.95),
                        GenerationProcess.uniform(2)));
            }
        }
        return processes;
    }

    private static double probability(GenerationProcess process, int... string) {
        double product = 1;
        for (int length = 0; length <= string.length && product > 0; length++) {
            int token =
                    length < string.length ? string[length] : process.tokens().end();
            product *= process.next(Arrays.copyOf(string, length))[token];
        }
        return product;
    }

    private static Finding conditions(Settings settings) {
        var tally = new Tally();
        long count = 0;
        for (int types : settings.integers("k")) {
            var tokens = new BracketTokens(types);
            int longest = settings.given("maxLength").orElse(types == 1 ? 8 : types == 2 ? 6 : 5);
            for (int length = 0; length <= longest; length++) {
                for (int[] string : Sequences.every(2 * types, length)) {
                    tally.require(
                            holds(tokens, string) == BracketLanguage.SHUFFLE_DYCK.contains(tokens, string),
                            () -> "'" + tokens.text(string) + "'");
                    count++;
                }
            }
        }
        tally.atMost("strings on which they differ", tally.counterexamples(), "strings", count, 0);
        return tally.finding("the two conditions hold for words and for nothing else");
    }

    private static boolean holds(BracketTokens tokens, int... string) {
        int[] depths = new int[tokens.types()];
        boolean never = true;
        for (int bracket : string) {
            depths[tokens.type(bracket)] += tokens.rise(bracket);
            never &= depths[tokens.type(bracket)] >= 0;
        }
        return never && Arrays.stream(depths).sum() <= 0;
    }
}
