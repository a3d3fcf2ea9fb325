package mine;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.Tally;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Trial;
import org.lemmata.sweep.TrialContext;
import org.lemmata.task.Task;
import org.lemmata.task.TaskProvider;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/** Somebody's claims, task, construction and trial: PluginTest compiles them into a jar. */
final class Mine {

    static final Source SOURCE = new Source(new Paper("mine", "Doe", 2026, "Coins"), "lemma 1");

    private Mine() {}

    /** One that holds, one whose test has a fault, and one on trained models, which are coins here. */
    public static final class Claims implements ClaimProvider {

        @Override
        public List<Claim> claims() {
            var coins = new FigureSentences<>(
                    "mine.coins",
                    SOURCE,
                    new FigureGrid("mine.coins", Mine.class, "coins.yaml"),
                    new Sizes("coins", "of four sides", "of two sides"),
                    cells -> cells);
            return List.of(
                    claim("mine.holds").test((scope, computation) -> new Tally().finding("it holds")),
                    claim("mine.fault").test((scope, computation) -> {
                        throw new IllegalStateException("a fault\nof two lines");
                    }),
                    coins.claim(
                            "small",
                            "says so",
                            "Every side is below 9.",
                            (cells, judgement) -> cells.records().forEach(run -> {
                                double side =
                                        run.measurement("side").orElseThrow().value();
                                judgement.add("side " + side, side < 9, side >= 9);
                            })));
        }

        private static ComputedClaim.Builder claim(String id) {
            return ComputedClaim.asStated(id, SOURCE, "A statement.").range("one case");
        }
    }

    /** Two fair bits, the second of which is the first. */
    public static final class Tasks implements TaskProvider {

        @Override
        public List<Catalogue.Entry<Task>> entries() {
            return List.of(new Catalogue.Entry<>("mine-twins", "a bit, twice", SOURCE, "", settings -> new Twins()));
        }
    }

    private static final class Twins extends Task {

        Twins() {
            super("mine-twins", SOURCE, new Vocabulary(List.of("0", "1")));
        }

        @Override
        public int defaultLength() {
            return 2;
        }

        @Override
        public Example sample(RandomGenerator random, int length) {
            int bit = random.nextInt(2);
            return Example.nextToken(bit, bit);
        }

        @Override
        public boolean accepts(int... ids) {
            return ids.length == 2 && ids[0] == ids[1];
        }
    }

    /** Says a line again. */
    public static final class Constructions implements ConstructionProvider {

        @Override
        public List<Catalogue.Entry<ConstructionRun>> entries() {
            ConstructionRun echo = models -> line -> Map.of("again", line);
            return List.of(new Catalogue.Entry<>("mine-echo", "says it again", SOURCE, "", settings -> echo));
        }
    }

    /** A coin of as many sides as it is told. */
    public static final class Coin implements Trial {

        @Override
        public String name() {
            return "mine-coin";
        }

        @Override
        public Section section() {
            return Section.of("", Setting.table("seed | 1 | of the throw\nthreads | 1 | free\nsides | 2 | how many\n"));
        }

        @Override
        public Set<String> free() {
            return Set.of("threads");
        }

        @Override
        public void check(Configuration settings) {
            settings.seed("seed");
            settings.integer("sides", 1, 9);
        }

        @Override
        public String simd() {
            return "none";
        }

        @Override
        public double cost(Configuration settings) {
            return 1;
        }

        @Override
        public List<Measurement> run(Configuration settings, TrialContext context) {
            int side = new SplittableRandom(settings.seed("seed")).nextInt(settings.integer("sides", 1, 9));
            return List.of(Measurement.exact("side", side, "", 1));
        }
    }
}
