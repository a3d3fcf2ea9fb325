package org.lemmata.claim.symbol;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.claim.symbol.CopyingModel.Decrease;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ParameterRole;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * Boix-Adsera et al. (2024), theorems 5.1 (J.2) and 5.2 (J.3): how fast the losses of a wide {@link CopyingModel} fall
 * when gradient flow begins, group by group of the parameters.
 */
final class Copying {

    static final ComputedClaim FAILS_PRINTED = ComputedClaim.printed(
                    "symbol.theorem-5.1.printed",
                    new Source(Paper.SYMBOL, "theorem 5.1"),
                    "For any rates with dL_train/dt = O(1), dL_test/dt tends to 0 as d_emb grows.")
            .untested(NotTested.TEXT.because(
                    "a scan, in which the display reads \"% lt=0— 0 as demp — 0\"; theorem J.2, which restates it,"
                            + " says that the loss does not decrease, and symbol.theorem-5.1 finds that it rises"));

    private static final long SEED = 51_000;
    private static final int SYMBOLS = 20;
    private static final int TRAINED = 10;
    private static final int HEADS = 16;

    private static final String OF_RANGES =
            "; gamma = 1, " + TRAINED + " of m = " + SYMBOLS + " symbols trained; {seeds} draws each";

    private static final List<ParameterRole> PLAIN = List.of(
            ParameterRole.OUTPUT, ParameterRole.VALUE, ParameterRole.POSITION_EMBEDDING, ParameterRole.TOKEN_EMBEDDING);

    /**
     * The decreases by each group with the rates of the limit, of some draws of the parameters.
     *
     * @param all by group, draw by draw
     */
    record Draws(CopyingModel model, List<Map<ParameterRole, Decrease>> all) {

        static Draws of(CopyingModel model, int draws, Kernels kernels) {
            int[] trained = IntStream.range(0, TRAINED).toArray();
            return new Draws(
                    model,
                    IntStream.range(0, draws)
                            .mapToObj(draw -> {
                                Map<ParameterRole, Decrease> decreases = model.decreases(
                                        model.draw(Tally.random(SEED + draw)), trained, model.symbols() - 1, kernels);
                                decreases.replaceAll((role, of) -> of.times(model.rate(role)));
                                return decreases;
                            })
                            .toList());
        }

        /** Of each draw. */
        double[] by(ParameterRole role, ToDoubleFunction<Decrease> of) {
            return all.stream()
                    .mapToDouble(draw -> of.applyAsDouble(Objects.requireNonNull(draw.get(role))))
                    .toArray();
        }

        Measurement mean(String symbols, ParameterRole role, ToDoubleFunction<Decrease> of) {
            return Copying.mean(
                    "-dL/dt, " + symbols + ", by " + group(role) + ", d_emb = " + model.width(),
                    by(role, of),
                    new Reference(Relation.ABOUT, of.applyAsDouble(model.limit(role, TRAINED))));
        }

        long[] seeds() {
            return LongStream.range(SEED, SEED + all.size()).toArray();
        }
    }

    private record Drawn(List<Integer> widths, int draws, String kernels) {}

    /** What three claims look at is drawn once. */
    private static final Map<Drawn, List<Draws>> DRAWN = new ConcurrentHashMap<>();

    static final ComputedClaim FAILS = ComputedClaim.corrected(
                    "symbol.theorem-5.1", new Source(Paper.SYMBOL, "theorems 5.1 and J.2"), """
                    With rates 1 / H, for W_V d_emb / (H d_head), the training loss of the copying transformer falls at
                    first and the loss on an unseen symbol rises: as the model grows wide, its decrease tends to -gamma²
                    / m by each of W_O, W_V, P and W_E; read as within a quarter of the limit at the maximum width, and
                    nearer than at the minimum.
                    """)
            .paper("the generalization loss on unseen symbols does not decrease")
            .byBudget("seeds | 2..1000 | draws of the parameters", "8", "32")
            .byBudget("width | 16..8192 | d_emb, ascending", "64,256,1024", "64,256,1024,2048")
            .range(Copying::range)
            .test((scope, computation) -> check(false, drawn(scope, computation.kernels())));

    static final ComputedClaim COPIES = ComputedClaim.corrected(
                    "symbol.theorem-5.2", new Source(Paper.SYMBOL, "theorems 5.2 and J.3"), """
                    With b_h I in each head and rate 1 / H for b, the decreases of both losses by b tend to (1 - 1/m)²,
                    and that of the loss on an unseen symbol by all groups together is positive; read as within 5% of
                    the limit at the maximum width.
                    """)
            .paper("there are such rates")
            .byBudget("seeds | 2..1000 | draws of the parameters", "8", "32")
            .byBudget("width | 16..8192 | d_emb, ascending", "64,256,1024", "64,256,1024,2048")
            .range(Copying::range)
            .test((scope, computation) -> check(true, drawn(scope, computation.kernels())));

    static final ComputedClaim RATES_PRINTED = ComputedClaim.printed(
                    "symbol.theorem-5.2.rates.printed", new Source(Paper.SYMBOL, "proofs of theorems J.2 and J.3"), """
                    The proofs take rates O(1) of P and W_E, and Theta(1 / H), at the end Omega(H), of b for dL_train/dt
                    = O(1) as heads are added.
                    """)
            .paper("takes rates O(1), and Omega(H) for b, in its proof")
            .byBudget("seeds | 2..1000 | draws of the parameters", "8", "32")
            .range("d_emb = 1024, d_head = 16, H = 4, 64" + OF_RANGES)
            .test((scope, computation) -> rates(scope.integer("seeds"), computation.kernels()));

    private Copying() {}

    private static String range(Scope scope) {
        return "d_emb = " + scope.integers("width") + ", H = " + HEADS + ", d_head = d_emb / " + HEADS + OF_RANGES;
    }

    private static List<Draws> drawn(Scope scope, Kernels kernels) {
        return DRAWN.computeIfAbsent(
                new Drawn(scope.integers("width"), scope.integer("seeds"), kernels.description()),
                drawn -> drawn.widths().stream()
                        .map(width -> new CopyingModel(SYMBOLS, width, HEADS, width / HEADS, 1))
                        .map(model -> Draws.of(model, drawn.draws(), kernels))
                        .toList());
    }

    /**
     * Holds the decreases against their limits.
     *
     * @param copies whether by b, of which the loss on an unseen symbol falls, or by the other groups
     * @param byWidth the draws of each model, the narrowest first
     */
    static Finding check(boolean copies, List<Draws> byWidth) {
        var tally = new Tally();
        Draws widest = byWidth.getLast();
        var series = new ArrayList<Figure.Series>();
        for (ParameterRole role : copies ? List.of(ParameterRole.VALUE_OUTPUT_IDENTITY) : PLAIN) {
            List<Measurement> unseen = byWidth.stream()
                    .map(draws -> draws.mean("unseen", role, Decrease::test))
                    .toList();
            Measurement trained = widest.mean("trained", role, Decrease::train);
            // The widest decides, so it comes first.
            unseen.reversed().forEach(tally::measure);
            tally.measure(trained);
            require(
                    copies,
                    tally,
                    unseen,
                    trained,
                    widest.model().limit(role, TRAINED).test());
            series.add(new Figure.Series(
                    group(role),
                    byWidth.stream()
                            .map(draws -> (double) draws.model().width())
                            .toList(),
                    unseen.stream().map(Measurement::value).toList(),
                    unseen.stream().map(of -> of.interval().low()).toList(),
                    unseen.stream().map(of -> of.interval().high()).toList()));
        }
        if (copies) {
            requireAll(tally, widest);
        }
        Finding finding = tally.finding(
                copies ? "b lowers both losses at the rate claimed" : "no group lowers the loss of an unseen symbol",
                widest.seeds());
        return finding.showing(picture(series));
    }

    private static void require(
            boolean copies, Tally tally, List<Measurement> unseen, Measurement trained, double limit) {
        Measurement last = unseen.getLast();
        Interval interval = last.interval();
        String found = text(last);
        double off = Math.abs(last.value() - limit);
        double within = (copies ? 0.05 : 0.25) * Math.abs(limit);
        tally.require(off <= within, () -> found + " is not within " + within + " of " + limit);
        tally.require(off < Math.abs(unseen.getFirst().value() - limit), () -> found + " is no nearer to " + limit);
        tally.require(trained.interval().low() > 0, () -> text(trained) + ": the training loss does not fall");
        tally.require(limit * interval.low() > 0 && limit * interval.high() > 0, () -> found + " may be 0");
    }

    /** By all groups together. */
    private static void requireAll(Tally tally, Draws widest) {
        double[] sums = widest.all().stream()
                .mapToDouble(draw ->
                        draw.values().stream().mapToDouble(Decrease::test).sum())
                .toArray();
        Measurement all =
                mean("-dL/dt, unseen, by all groups, d_emb = " + widest.model().width(), sums, null);
        tally.measure(all);
        tally.require(all.interval().low() > 0, () -> text(all));
    }

    /** How much faster the training loss falls with more heads, with the rates that the proofs name. */
    private static Finding rates(int draws, Kernels kernels) {
        var tally = new Tally();
        Draws few = Draws.of(new CopyingModel(SYMBOLS, 1024, 4, 16, 1), draws, kernels);
        Draws many = Draws.of(new CopyingModel(SYMBOLS, 1024, 64, 16, 1), draws, kernels);
        for (ParameterRole role : List.of(
                ParameterRole.POSITION_EMBEDDING, ParameterRole.TOKEN_EMBEDDING, ParameterRole.VALUE_OUTPUT_IDENTITY)) {
            double rates = printedRate(many.model(), role) / printedRate(few.model(), role);
            double[] ofFew = few.by(role, Decrease::train);
            double[] ofMany = many.by(role, Decrease::train);
            double[] ratios = IntStream.range(0, draws)
                    .mapToDouble(draw -> rates * ofMany[draw] / ofFew[draw])
                    .toArray();
            tally.measure(mean("dL_train/dt with 64 heads over that with 4, " + group(role), ratios, null));
        }
        return tally.finding(
                NotTested.PROOF.because("with these rates the training loss falls the faster the more heads there are,"
                        + " since K_P and K_E lack a factor H; the theorems ask for rates that exist, or for any with"
                        + " dL_train/dt = O(1): symbol.theorem-5.1 and symbol.theorem-5.2 take 1 / H"),
                few.seeds());
    }

    /** The proofs' rate over that of the limit, which is 1 / H. */
    private static double printedRate(CopyingModel model, ParameterRole role) {
        double heads = model.heads();
        return role == ParameterRole.VALUE_OUTPUT_IDENTITY ? heads * heads : heads;
    }

    private static Measurement mean(String name, double[] values, @Nullable Reference reference) {
        double mean = DoubleStream.of(values).average().orElseThrow();
        return new Measurement(name, mean, "", Interval.mean(values), values.length, reference);
    }

    private static String text(Measurement of) {
        return String.format(
                Locale.ROOT,
                "%s: %.4f [%.4f, %.4f] over %d draws",
                of.name(),
                of.value(),
                of.interval().low(),
                of.interval().high(),
                of.n());
    }

    /** The group as the paper writes it. */
    private static String group(ParameterRole role) {
        return switch (role) {
            case OUTPUT -> "W_O";
            case VALUE -> "W_V";
            case POSITION_EMBEDDING -> "P";
            case TOKEN_EMBEDDING -> "W_E";
            case VALUE_OUTPUT_IDENTITY -> "b";
            default -> throw new IllegalArgumentException("role: expected one of the copying model, got " + role);
        };
    }

    private static Figure picture(List<Figure.Series> series) {
        return new Figure(
                "Copying: how fast the loss on an unseen symbol falls at first",
                "By group of parameters, means over draws with 95% intervals; below 0 the loss rises.",
                "embedding dimension",
                "-dL_test/dt at t = 0",
                series);
    }
}
