package org.lemmata.task.depth.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.task.Exercise;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.token.Example;

class BooleanExpressionsTest {

    private static final ExpressionLaw LAW = new ExpressionLaw(4, true, 5, 3);

    private static BooleanExpressions task(ExpressionLaw law, int window) {
        return new BooleanExpressions(law, AnswerForm.SHORTEST, window, HeldOutFunctions.none(law.variables()));
    }

    private static String text(BooleanExpressions task, int[] ids) {
        return task.language().text(ids);
    }

    @ParameterizedTest
    @CsvSource({"1,5,3", "2,5,3", "3,3,4", "4,5,3", "4,1,0", "4,5,6", "5,5,3", "6,3,3", "7,3,3", "8,3,3"})
    void drawsAreAcceptedAndLabelledRight(int variables, int k, int q) {
        var law = new ExpressionLaw(variables, true, k, q);
        BooleanExpressions single = task(law, 0);
        BooleanExpressions windows = task(law, 100);
        var random = new SplittableRandom(31);
        for (int draw = 0; draw < 15; draw++) {
            int[] ids = single.sample(random, single.defaultLength()).inputs();
            assertThat(single.accepts(ids)).as(text(single, ids)).isTrue();
            assertThat(windows.accepts(windows.sample(random, 100).inputs())).isTrue();
            Exercise exercise = single.exercises(ids).getFirst();
            BooleanLanguage language = single.language();
            int[] expression = Arrays.copyOfRange(exercise.question(), 1, exercise.question().length - 1);
            assertThat(language.evaluate(exercise.answer())).isEqualTo(language.evaluate(expression));
            if (variables <= 4) {
                assertThat(language.leaves(exercise.answer())).isLessThanOrEqualTo(language.leaves(expression));
            }
            assertThat(ids.length).isLessThanOrEqualTo(single.defaultLength());
            assertThat(single.grade(exercise.question(), exercise.answer())).isEqualTo(AnswerGrade.SIMPLIFIED);
        }
    }

    /** Users rely on the bits of a seed. */
    @Test
    void theEqualitiesOfASeedStayTheSame() {
        BooleanExpressions task = task(new ExpressionLaw(4, true, 3, 2), 0);
        var random = new SplittableRandom(1);
        assertThat(IntStream.range(0, 4).mapToObj(i -> text(task, task.sampleEquality(random))))
                .containsExactly(
                        "<start>((p0|true)|~p2)&((true|p0)&(false&~p2))|((~p2|p2)|p0)=true<end>",
                        "<start>(p0&(p1&false))&((false&p1)&~p1)|(true&(p0&p1))=p0&p1<end>",
                        "<start>(p1|(false&p1))|((true|~p2)|p3)|((true|p1)|(p0&~p3))=true<end>",
                        "<start>((p2&~p2)|(p2|p1))|((p1|p0)|p0)&((p1|false)|false)=p1|p2<end>");
    }

    @Test
    void aWindowIsTheStreamCutWhereItEnds() {
        BooleanExpressions task = task(LAW, 1024);
        int[] stream = task.sample(new SplittableRandom(9), 5000).inputs();
        var random = new SplittableRandom(9);
        var equalities = IntStream.builder();
        for (int i = 0; i < 100; i++) {
            IntStream.of(task.sampleEquality(random)).forEach(equalities);
        }
        assertThat(stream).isEqualTo(Arrays.copyOf(equalities.build().toArray(), 5000));
        for (int length = 1; length <= 400; length++) {
            int[] window = task.sample(new SplittableRandom(9), length).inputs();
            assertThat(window).isEqualTo(Arrays.copyOf(stream, length));
            assertThat(task.accepts(window)).as("length %d", length).isTrue();
        }
        assertThat(task.sample(new SplittableRandom(9), 64)).isEqualTo(Example.nextToken(Arrays.copyOf(stream, 64)));
        assertThat(task.defaultLength()).isEqualTo(1024);
    }

    @Test
    void theQuestionsOfAWindowAreThoseThatAreWhole() {
        BooleanExpressions task = task(LAW, 1000);
        int[] window = task.sample(new SplittableRandom(2), 1000).inputs();
        List<Exercise> exercises = task.exercises(window);
        String joined = exercises.stream()
                .map(exercise -> text(task, exercise.question()) + text(task, exercise.answer()) + "<end>")
                .reduce("", String::concat);
        String all = text(task, window);
        assertThat(all).startsWith(joined);
        assertThat(all.substring(joined.length())).startsWith("<start>").doesNotContain("<end>");
        assertThat(exercises).hasSizeGreaterThan(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "<start>(p0&p1)|(p0&p0)=p0<end>; true",
                "<start>(p0&p1)|(p0&p0)=p0&p0<end>; false",
                "<start>(p0&p1)|(p0&p0)=(p0)<end>; false",
                "<start>(p0&p1)|(p0&p0)=p1<end>; false",
                "<start>(p0&p1)|(p0&p0)=p0; false",
                "<start>(p0&p1)|(p0&p0)=<end>; false",
                "<start>(p0&p1)|(p0&p0)p0<end>; false",
                "(p0&p1)|(p0&p0)=p0<end>; false",
                "<start>p0&p1|(p0&p0)=p0<end>; false",
                "<start>((p0&p1))|(p0&p0)=p0<end>; false",
                "<start>(p0&p1)=p0&p1<end>; false",
                "<start>(p0&p1)|(p0&p0)|(p0&p0)=p0<end>; false",
                "<start>(p0&p1)|(p0&p0)=p0<end><start>; false",
                "<start><end>; false",
                "<start>; false",
                "''; false",
                "<start>(p0&true)|(p0&~p0)=p0<end>; true",
                "<start>(p0&~true)|(p0&p0)=p0<end>; false"
            })
    void wholeEqualitiesAreAcceptedAsTheyAreDrawn(String sequence, boolean accepted) {
        BooleanExpressions task = task(new ExpressionLaw(2, true, 2, 1), 0);
        assertThat(task.accepts(ExpressionText.ids(task.language(), sequence))).isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "<start>(p0&p1)|(p0&p0)=p0<end>; true",
                "<start>(p0&p1)|(p0&p0)=p0; true",
                "<start>(p0&p1)|(p0&p0)=; true",
                "<start>(p0&p1)|(; true",
                "<start>(p0&p1)|); false",
                "<start>(p0&p1)|(p0&p0)=p1; false",
                "<start>(p0&p1)|(p0&p1)=p0&; true",
                "<start>(p0&p1)|(p0&p1)=p0|; false",
                "<start>(p0&p1)|(p0&p0)=p0<end><start>; true",
                "<start>(p0&p1)|(p0&p0)=p0<start>; false",
                "<start>(p0&p1)|(p0&p0)=p0<end><end>; false",
                "<start>(p0&p1)|(p0&p0)=p0<end>p0; false",
                "<start>(p0&p1)=p0; false",
                "''; false"
            })
    void windowsMayEndAnywhere(String sequence, boolean accepted) {
        BooleanExpressions task = task(new ExpressionLaw(2, true, 2, 1), 16);
        assertThat(task.accepts(ExpressionText.ids(task.language(), sequence))).isEqualTo(accepted);
    }

    @Test
    void depthsAreThoseOfExpressions() {
        BooleanExpressions task = task(new ExpressionLaw(4, true, 2, 3), 64);
        assertThat(task.nestingDepth(ExpressionText.ids(task.language(), "<start>p0&p1=p0<end><start>((p1")))
                .hasValue(2);
        assertThat(task.nestingDepth(ExpressionText.ids(task.language(), "<start>p0=(((p1&p2)|p0)&p3)<end>")))
                .hasValue(0);
        assertThat(task.nestingDepth()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsHeldOutIsDrawnOutOfSampleAndNowhereElse(boolean windows) {
        HeldOutFunctions heldOut = HeldOutFunctions.choose(LAW, 128, 1);
        var inSample = new BooleanExpressions(LAW, AnswerForm.SHORTEST, windows ? 300 : 0, heldOut);
        Task outOfSample = inSample.outOfSample().orElseThrow();
        assertThat(heldOut.size()).isEqualTo(128);
        var random = new SplittableRandom(3);
        for (int draw = 0; draw < 300; draw++) {
            int[] in = inSample.sample(random, inSample.defaultLength()).inputs();
            int[] out = outOfSample.sample(random, outOfSample.defaultLength()).inputs();
            assertThat(inSample.exercises(in)).noneMatch(exercise -> heldOut.contains(function(inSample, exercise)));
            assertThat(outOfSample.questions().orElseThrow().exercises(out))
                    .allMatch(exercise -> heldOut.contains(function(inSample, exercise)));
            assertThat(inSample.accepts(in)).isTrue();
            assertThat(outOfSample.accepts(out)).isTrue();
            if (!windows) {
                assertThat(inSample.accepts(out)).isFalse();
                assertThat(outOfSample.accepts(in)).isFalse();
            }
        }
        assertThat(task(LAW, 0).outOfSample()).isEmpty();
    }

    private static TruthTable function(BooleanExpressions task, Exercise exercise) {
        int[] question = exercise.question();
        return task.language().evaluate(Arrays.copyOfRange(question, 1, question.length - 1));
    }

    @Test
    void whatIsHeldOutFollowsFromLawAndSeed() {
        var random = new Random(1);
        List<TruthTable> probes = random.ints(3000, 0, 1 << 16)
                .mapToObj(bits -> TruthTable.of(4, bits))
                .toList();
        HeldOutFunctions first = HeldOutFunctions.choose(LAW, 2000, 7);
        HeldOutFunctions again = HeldOutFunctions.choose(LAW, 2000, 7);
        HeldOutFunctions other = HeldOutFunctions.choose(LAW, 2000, 8);
        assertThat(probes).allMatch(probe -> first.contains(probe) == again.contains(probe));
        assertThat(probes).anyMatch(probe -> first.contains(probe) != other.contains(probe));
        // One variable has four functions, false, true, p0 and ~p0, and all of them are drawn.
        var small = new ExpressionLaw(1, true, 2, 1);
        assertThat(HeldOutFunctions.choose(small, 3, 1).size()).isEqualTo(3);
        assertRefused(
                () -> HeldOutFunctions.choose(small, 4, 1),
                "heldOut: expected fewer than the 4 distinct functions of 65536 expressions, got 4");
    }

    /** Functions are held out at one depth and drawn at another: a single leaf is never an xor. */
    @Test
    void whatCannotBeDrawnIsRefused() {
        var law = new ExpressionLaw(2, false, 1, 0);
        HeldOutFunctions heldOut = IntStream.range(0, 1000)
                .mapToObj(seed -> HeldOutFunctions.choose(law.withDepth(4), 1, seed))
                .filter(chosen -> chosen.contains(TruthTable.of(2, 0b0110)))
                .findFirst()
                .orElseThrow();
        Task outOfSample = new BooleanExpressions(law, AnswerForm.SHORTEST, 0, heldOut)
                .outOfSample()
                .orElseThrow();
        assertThatThrownBy(() -> outOfSample.sample(new SplittableRandom(1), outOfSample.defaultLength()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("heldOut: expected some of the functions of ")
                .hasMessageEndingWith(" among the 1 held out, got none in 4194304 draws");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "p0&(p1|p2); SIMPLIFIED",
                "(p1|p2)&p0; EQUAL",
                "p0&p1|p0&p2; EQUAL",
                "p0&(p1|p2|p3&~p3); OTHER_VARIABLES",
                "p0&p1|p0&p2|p0&p1|p0&p2|p0&p2; TOO_LONG",
                "p0&p1; UNEQUAL",
                "true; UNEQUAL",
                "p0&(p1|p2; MALFORMED",
                "p0&(p1|p2)<end>; MALFORMED",
                "''; MALFORMED"
            })
    void answersAreGraded(String answer, AnswerGrade grade) {
        BooleanExpressions task = task(LAW, 0);
        int[] question = ExpressionText.ids(task.language(), "<start>(p0&p1)|(p0&p2)|(p0&p1)=");
        assertThat(task.grade(question, ExpressionText.ids(task.language(), answer)))
                .isEqualTo(grade);
        assertThat(grade.isCounted()).isEqualTo(grade == AnswerGrade.SIMPLIFIED || grade == AnswerGrade.EQUAL);
        assertThat(grade.isEqual()).isEqualTo(grade != AnswerGrade.UNEQUAL && grade != AnswerGrade.MALFORMED);
    }

    @Test
    void severalThreadsDrawWhatOneDraws() {
        BooleanExpressions alone = task(LAW, 200);
        List<Example> expected =
                IntStream.range(0, 400).mapToObj(i -> draw(alone, i)).toList();
        BooleanExpressions shared = task(LAW, 200);
        assertThat(IntStream.range(0, 400)
                        .parallel()
                        .mapToObj(i -> draw(shared, i))
                        .toList())
                .isEqualTo(expected);
    }

    private static Example draw(BooleanExpressions task, int seed) {
        RandomGenerator random = new SplittableRandom(seed);
        return task.sample(random, task.defaultLength());
    }

    @Test
    void misuseIsRefused() {
        assertRefused(() -> task(LAW, -1), "window: expected at least 0, got -1");
        assertRefused(() -> task(LAW, 8).sample(new Random(1), 0), "length: expected at least 1, got 0");
        BooleanExpressions single = task(LAW, 0);
        assertRefused(
                () -> single.sample(new Random(1), 10),
                "length: expected at least " + single.defaultLength() + " for any equality, got 10");
        assertThatThrownBy(() -> single.accepts(0, 14)).hasMessage("position 2: expected an id from 0 to 13, got 14");
        assertThatThrownBy(() -> single.grade(new int[] {0}, new int[] {0}))
                .hasMessage("question: expected <start> expression =, got 'p0'");
        assertThatThrownBy(() -> new ExpressionLaw(4, true, 0, 3)).hasMessage("k: expected 1 to 64, got 0");
        assertThatThrownBy(() -> new ExpressionLaw(4, true, 5, 17)).hasMessage("q: expected 0 to 16, got 17");
    }

    @Test
    void settingsReachTheTask() {
        var given = Map.of(
                "variables",
                "3",
                "constants",
                "false",
                "k",
                "2",
                "q",
                "2",
                "form",
                "two-level",
                "window",
                "0",
                "heldOut",
                "9",
                "heldOutDepth",
                "1",
                "heldOutSeed",
                "5",
                "outOfSample",
                "true");
        Task task = Tasks.CATALOGUE.entry(BooleanExpressions.NAME).create(given);
        var law = new ExpressionLaw(3, false, 2, 2);
        var expected = new BooleanExpressions(
                        law, AnswerForm.TWO_LEVEL, 0, HeldOutFunctions.choose(law.withDepth(1), 9, 5))
                .outOfSample()
                .orElseThrow();
        for (int seed = 0; seed < 50; seed++) {
            assertThat(task.sample(new Random(seed), task.defaultLength()))
                    .isEqualTo(expected.sample(new Random(seed), expected.defaultLength()));
        }
        assertThat(task.defaultLength()).isEqualTo(expected.defaultLength());
        assertThat(task.source().citation()).isEqualTo("Richard (2024), section 2.1, algorithm 1");
    }
}
