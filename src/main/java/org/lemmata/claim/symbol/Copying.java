package org.lemmata.claim.symbol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.claim.symbol.Copying.CopyingModel.Decrease;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Initialization;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.PositionOptions;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * Boix-Adsera et al. (2024), theorems 5.1 (J.2) and 5.2 (J.3): the initial rates at which gradient flow on each group
 * of parameters decreases the losses of a wide {@link CopyingModel}.
 */
final class Copying {

    static final ComputedClaim FAILS_PRINTED = ComputedClaim.printed(
                    "symbol.theorem-5.1.printed",
                    "theorem 5.1",
                    "For any learning rates with which the copying transformer's training loss has dL_train/dt = O(1)"
                            + " at t = 0, dL_test/dt on an unseen symbol at t = 0 tends to 0 as its width d_emb grows.")
            .untested(NotTested.TEXT.because(
                    "a scan, in which the display reads \"% lt=0— 0 as demp — 0\"; the legible limit 0 is not that of"
                            + " symbol.theorem-5.1, which finds that the loss rises; theorem J.2, which restates it,"
                            + " has the display \"|% < o(1)\" there, and the words that the error does not decrease"));

    private static final long SEED = 51_000;
    private static final int SYMBOLS = 20;
    private static final int TRAINED = 10;
    private static final int HEADS = 16;

    /** The least width that is wide enough to refute a limit. */
    private static final int WIDE = 1024;

    private static final String OF_RANGES =
            "; gamma = 1, " + TRAINED + " of m = " + SYMBOLS + " symbols trained; {seeds} draws each";

    private static final List<ParameterRole> PLAIN = List.of(
            ParameterRole.OUTPUT, ParameterRole.VALUE, ParameterRole.POSITION_EMBEDDING, ParameterRole.TOKEN_EMBEDDING);

    /**
     * The decreases of the losses by each group of parameters, with the learning rates of {@link CopyingModel#rate},
     * for several random initial parameters.
     *
     * @param all the decreases by group, one map per draw
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

        double[] by(ParameterRole role, ToDoubleFunction<Decrease> of) {
            return all.stream()
                    .mapToDouble(draw -> of.applyAsDouble(Objects.requireNonNull(draw.get(role))))
                    .toArray();
        }

        Measurement mean(String symbols, ParameterRole role, ToDoubleFunction<Decrease> of) {
            return Measurement.mean(
                    "-dL/dt, " + symbols + ", by " + group(role) + ", d_emb = " + model.width(),
                    new Reference(Relation.ABOUT, of.applyAsDouble(model.limit(role, TRAINED))),
                    by(role, of));
        }

        long[] seeds() {
            return LongStream.range(SEED, SEED + all.size()).toArray();
        }
    }

    /** A cache by widths, number of draws and kernels, because several claims use the same draws. */
    private static final Map<List<Object>, List<Draws>> DRAWN = new ConcurrentHashMap<>();

    static final ComputedClaim FAILS = ComputedClaim.corrected("symbol.theorem-5.1", "theorems 5.1 and J.2", """
        Let the copying transformer with H heads have the learning rate d_emb / (H d_head) for W_V and 1 / H for other
        weights. At the start of training its training loss falls, and its loss L on an unseen symbol rises. As the
        model grows wide, the part of dL/dt due to each of W_O, W_V, P and W_E tends to gamma² / m, for m symbols and
        the weight gamma > 0 of the position embedding. Read as: at the largest width, each part differs from gamma² /
        m by at most a quarter of gamma² / m, and by less than at the smallest width.
        """)
            .paper("the generalization loss on unseen symbols does not decrease")
            .byBudget("seeds | 2..1000 | draws of the parameters", "8", "32")
            .byBudget("width | 16..8192 | d_emb, ascending", "64,256,1024", "64,256,1024,2048")
            .range(Copying::range)
            .beyond(scope -> scope.integers("width").getLast() < WIDE ? "a width below " + WIDE : "")
            .test((scope, computation) -> check(false, drawn(scope, computation.kernels())));

    static final ComputedClaim COPIES = ComputedClaim.corrected("symbol.theorem-5.2", "theorems 5.2 and J.3", """
        Add a trainable term b_h I, at first 0, to W_V W_O in each of the copying transformer's H heads. Train b with
        the learning rate 1 / H, and the other weights as in symbol.theorem-5.1. At the start of training, as the model
        grows wide, the decrease -dL/dt due to b tends to (1 - 1/m)², for m symbols, both for the training loss and for
        the loss on an unseen symbol. For the latter, the decrease due to all groups of weights together tends to (1 -
        1/m)² - 4 gamma² / m. Read as: at the largest width, with gamma = 1 and m = 20, the decrease of the loss on an
        unseen symbol due to b is within 5% of the limit and nearer to it than at the smallest width, and the decrease
        due to all groups is positive.
        """)
            .paper("there are such rates")
            .byBudget("seeds | 2..1000 | draws of the parameters", "8", "32")
            .byBudget("width | 16..8192 | d_emb, ascending", "64,256,1024", "64,256,1024,2048")
            .range(Copying::range)
            .beyond(scope -> scope.integers("width").getLast() < WIDE ? "a width below " + WIDE : "")
            .test((scope, computation) -> check(true, drawn(scope, computation.kernels())));

    static final ComputedClaim RATES_PRINTED = ComputedClaim.printed(
                    "symbol.theorem-5.2.rates.printed", "proofs of theorems J.2 and J.3", """
                    Let the copying transformer have positions P, embeddings W_E and a trainable b_h I in each of H
                    heads (symbol.theorem-5.2). To keep the derivative dL_train/dt of its training loss O(1) as H
                    grows, the proof of theorem J.2 takes learning rates O(1) for P and W_E. The proof of theorem J.3
                    takes Theta(1 / H) for b, and Omega(H) in its last line.
                    """)
            .paper("takes rates O(1), and Omega(H) for b, in its proof")
            .byBudget("seeds | 2..1000 | draws of the parameters", "8", "32")
            .range("d_emb = 1024, d_head = 16, H = 4, 64" + OF_RANGES)
            .test((scope, computation) -> rates(scope.integer("seeds"), computation.kernels()));

    private static String range(Scope scope) {
        return "d_emb = " + scope.integers("width") + ", H = " + HEADS + ", d_head = d_emb / " + HEADS + OF_RANGES;
    }

    private static List<Draws> drawn(Scope scope, Kernels kernels) {
        List<Integer> widths = scope.integers("width");
        Refuse.when(widths.getFirst() >= widths.getLast(), "width", "at least two, the last the largest", widths);
        int draws = scope.integer("seeds");
        return DRAWN.computeIfAbsent(
                List.of(widths, draws, kernels.description()),
                drawn -> widths.stream()
                        .map(width -> new CopyingModel(SYMBOLS, width, HEADS, width / HEADS, 1))
                        .map(model -> Draws.of(model, draws, kernels))
                        .toList());
    }

    /**
     * Compares the decreases with their limits.
     *
     * @param copies whether to test the decreases by b, which lowers the loss on an unseen symbol; otherwise the
     *     decreases by all other groups
     * @param byWidth the draws of each model, by ascending width
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
            // The widest model decides the claim, so it is listed first.
            unseen.reversed().forEach(tally::measure);
            tally.measure(trained);
            require(
                    copies,
                    tally,
                    unseen,
                    trained,
                    widest.model().limit(role, TRAINED).test());
            series.add(Figure.Series.of(
                    group(role),
                    IntStream.range(0, unseen.size()).boxed().toList(),
                    i -> byWidth.get(i).model().width(),
                    i -> unseen.get(i).value(),
                    i -> unseen.get(i).interval()));
        }
        if (copies) {
            double[] sums = widest.all().stream()
                    .mapToDouble(draw ->
                            draw.values().stream().mapToDouble(Decrease::test).sum())
                    .toArray();
            String name =
                    "-dL/dt, unseen, by all groups, d_emb = " + widest.model().width();
            Measurement all = Measurement.mean(name, null, sums);
            tally.measure(all);
            tally.require(all.interval().low() > 0, () -> text(all));
        }
        Finding finding = tally.finding(
                copies ? "b lowers both losses at the rate claimed" : "no group lowers the loss of an unseen symbol",
                widest.seeds());
        return finding.showing(new Figure(
                "Copying: how fast the loss on an unseen symbol falls at first",
                "By group of parameters, means over draws with 95% intervals; below 0 the loss rises.",
                "embedding dimension",
                "-dL_test/dt at t = 0",
                series));
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

    /** Measures how much faster the training loss falls with more heads, at the proofs' learning rates. */
    private static Finding rates(int draws, Kernels kernels) {
        var tally = new Tally();
        Draws few = Draws.of(new CopyingModel(SYMBOLS, 1024, 4, 16, 1), draws, kernels);
        Draws many = Draws.of(new CopyingModel(SYMBOLS, 1024, 64, 16, 1), draws, kernels);
        double heads = (double) many.model().heads() / few.model().heads();
        for (ParameterRole role : List.of(
                ParameterRole.POSITION_EMBEDDING, ParameterRole.TOKEN_EMBEDDING, ParameterRole.VALUE_OUTPUT_IDENTITY)) {
            // In the proofs, rates are 1 and, for b, H; few and many have rates of 1 / H.
            double rates = role == ParameterRole.VALUE_OUTPUT_IDENTITY ? heads * heads : heads;
            double[] ofFew = few.by(role, Decrease::train);
            double[] ofMany = many.by(role, Decrease::train);
            double[] ratios = IntStream.range(0, draws)
                    .mapToDouble(draw -> rates * ofMany[draw] / ofFew[draw])
                    .toArray();
            tally.measure(Measurement.mean("dL_train/dt with 64 heads over that with 4, " + group(role), null, ratios));
        }
        return tally.finding(
                NotTested.PROOF.because("with these rates the training loss falls faster the more heads there are,"
                        + " since K_P and K_E lack a factor H; the theorems ask for rates that exist, or for any with"
                        + " dL_train/dt = O(1): symbol.theorem-5.1 and symbol.theorem-5.2 take 1 / H"),
                few.seeds());
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

    private static String group(ParameterRole role) {
        return switch (role) {
            case OUTPUT -> "W_O";
            case VALUE -> "W_V";
            case POSITION_EMBEDDING -> "P";
            case TOKEN_EMBEDDING -> "W_E";
            case VALUE_OUTPUT_IDENTITY -> "b";
            default -> throw new IllegalArgumentException("role: expected one in the copying model, got " + role);
        };
    }

    /**
     * The transformer that is trained to copy its only token, f(x) = W_E M (W_Eᵀ x + gamma P) with M = sum_h (W_O,hᵀ
     * W_V,h + b_h I), and the initial decrease of its cross-entropy under gradient flow.
     *
     * <p>A single token attends only to itself, so attention needs no scores. The table of positions contains gamma P.
     * In the limit, the tangent kernel of a group, for the logits of tokens j and j', is K_jj'(x, x') = 1[j = j'] (c
     * 1[x = x'] + gamma²) H, with c = 1 for W_O and W_V, 0 for P and 2 for W_E. For W_V, the factor is H d_head / d_emb
     * instead of H. For b, the kernel is K_jj'(x, x') = 1[j = x] 1[j' = x'] H. All probabilities p tend to 1 / m, so
     * that sum_j (p_j - 1[j = x]) (p_j - 1[j = x']) = 1[x = x'] - 1 / m.
     *
     * <p>Source: Boix-Adsera et al. (2024), section 5 and appendix J.2, with the factor H that is missing there in K_P
     * and K_E.
     *
     * @param symbols m
     * @param width d_emb
     * @param heads H
     * @param headWidth d_head
     * @param gamma the weight of P
     */
    record CopyingModel(int symbols, int width, int heads, int headWidth, double gamma) {

        /** -dL/dt of the loss on the trained symbols, and of the loss on an unseen symbol. */
        record Decrease(double train, double test) {

            Decrease times(double factor) {
                return new Decrease(factor * train, factor * test);
            }
        }

        Architecture architecture() {
            return new Architecture(
                    new Architecture.Size(symbols, 1, width, 1),
                    PositionOptions.table(),
                    AttentionOptions.softmax(heads, headWidth)
                            .withWeighting(Weighting.UNIFORM, 0)
                            .withScores(1, LogLength.NONE, 0)
                            .withIdentities(true),
                    null,
                    NormalizationOptions.none(),
                    false,
                    OutputOptions.nextToken(true),
                    0);
        }

        /** Random parameters as in J.2, with b = 0. */
        Parameters draw(RandomGenerator random) {
            Parameters parameters = new Initialization.MeanField().draw(architecture(), random);
            ParameterView positions = parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, 0);
            for (int i = 0; i < positions.size(); i++) {
                parameters.values()[positions.offset() + i] *= (float) gamma;
            }
            return parameters;
        }

        /** A batch with one sequence per symbol; its target is the symbol itself. */
        static Batch batch(int... copied) {
            return Batch.ofExamples(Arrays.stream(copied)
                    .mapToObj(symbol -> new Example(new int[] {symbol}, new int[] {symbol}, new int[] {0}))
                    .toList());
        }

        /** The decreases of the losses by each group of parameters, with learning rate 1. */
        Map<ParameterRole, Decrease> decreases(Parameters parameters, int[] trained, int unseen, Kernels kernels) {
            float[] byTrained = gradient(parameters, batch(trained), kernels);
            float[] byUnseen = gradient(parameters, batch(unseen), kernels);
            var decreases = new EnumMap<ParameterRole, Decrease>(ParameterRole.class);
            for (ParameterView view : parameters.architecture().layout()) {
                // Rate 1 for P means rate gamma² for the table, which contains gamma P.
                double factor = view.role() == ParameterRole.POSITION_EMBEDDING ? gamma * gamma : 1;
                var products = new Decrease(product(view, byTrained, byTrained), product(view, byTrained, byUnseen));
                decreases.put(view.role(), products.times(factor));
            }
            return decreases;
        }

        private static float[] gradient(Parameters parameters, Batch batch, Kernels kernels) {
            float[] gradients = new float[parameters.values().length];
            new Backpropagation(parameters, kernels).gradient(gradients, batch, 1.0 / batch.scoredRows().length, 0, 1);
            return gradients;
        }

        private static double product(ParameterView view, float[] a, float[] b) {
            double sum = 0;
            for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                sum += (double) a[i] * b[i];
            }
            return sum;
        }

        /** The learning rate of a group for which its decreases tend to {@link #limit}. */
        double rate(ParameterRole role) {
            return role == ParameterRole.VALUE ? (double) width / (heads * headWidth) : 1.0 / heads;
        }

        /** The limit of the decreases with n trained symbols as d_emb, d_head and H grow; d_emb grows fastest. */
        Decrease limit(ParameterRole role, int n) {
            double m = symbols;
            if (role == ParameterRole.VALUE_OUTPUT_IDENTITY) {
                double both = (1 - 1 / m) * (1 - 1 / m);
                return new Decrease(both, both);
            }
            double other = gamma * gamma;
            double same = other
                    + switch (role) {
                        case TOKEN_EMBEDDING -> 2;
                        case POSITION_EMBEDDING -> 0;
                        default -> 1;
                    };
            return new Decrease(((1 - 1 / m) * same - (n - 1) / m * other) / n, -other / m);
        }
    }
}
