package org.lemmata.train;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Coefficients;
import org.lemmata.kernel.optimizer.GradientNorm;
import org.lemmata.kernel.optimizer.OptimizerStep;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Objective;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.ParameterRounding;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;

/**
 * Updates each parameter p that is not frozen to p - eta f(t) u(c dp), where dp is its gradient, f the schedule, and
 * eta and u the learning rate and update rule of its group. The norm in c = min(1, maxGradientNorm / |dp|) is over all
 * parameters that are not frozen.
 *
 * <p>Adjacent parameters with the same rule are updated by one call. Moments are flat arrays with the layout of the
 * parameters. Without rounding, a step on SIMD kernels allocates nothing.
 */
public final class Optimizer {

    /** From this number of elements on, rows of a table are updated separately. Smaller tables fit in the cache. */
    private static final int LARGE_TABLE = 1 << 20;

    private static final String FIRST_MOMENTS = "first_moments";
    private static final String SECOND_MOMENTS = "second_moments";

    /** Adjacent parameters with the same rule: the elements from {@code from} (inclusive) to {@code to} (exclusive). */
    private record Range(UpdateRule rule, int from, int to) {}

    private final OptimizerOptions options;
    private final PrecisionPolicy precision;
    private final GradientNorm gradientNorm;
    private final OptimizerStep optimizerStep;
    private final Workers workers;
    private final ThreadLocal<Coefficients> coefficients = ThreadLocal.withInitial(Coefficients::new);
    private final Range[] ranges;
    private final Range[] trained;
    private final float[] firstMoments;
    private final float[] secondMoments;
    private final double lossScale;
    private final ParameterRounding masterRounding;
    private final ParameterRounding firstMomentRounding;
    private final ParameterRounding secondMomentRounding;

    /**
     * An optimizer for {@code layout}. After each step, moments and trained parameters are rounded according to
     * {@code policy}. Gradients passed to {@link #step} must be those of the loss times the policy's loss scale.
     *
     * @param layout the parameters, in the order of the flat array
     * @throws IllegalArgumentException if a group contains no parameter, or no parameter is left to train
     */
    public Optimizer(List<ParameterView> layout, OptimizerOptions options, PrecisionPolicy policy, Kernels kernels) {
        this.options = options;
        this.precision = policy;
        gradientNorm = kernels.gradientNorm();
        optimizerStep = kernels.optimizerStep();
        workers = kernels.workers();
        for (ParameterGroup group : options.groups()) {
            if (layout.stream().noneMatch(view -> group.contains(view.name()))) {
                throw new IllegalArgumentException("groups: expected the name of a parameter, or a glob of some, got "
                        + Refuse.quoted(group.names()) + "; the parameters are "
                        + String.join(
                                ", ", layout.stream().map(ParameterView::name).toList()));
            }
        }
        var all = new ArrayList<Range>();
        for (ParameterView view : layout) {
            UpdateRule rule = ruleOf(view);
            if (rule != null) {
                append(all, new Range(rule, view.offset(), view.offset() + view.size()));
            }
        }
        Refuse.when(all.isEmpty(), "groups", "a parameter that is not frozen", "none");
        ranges = all.toArray(Range[]::new);
        var adjacent = new ArrayList<Range>();
        all.forEach(range -> append(adjacent, new Range(options.rule(), range.from, range.to)));
        trained = adjacent.toArray(Range[]::new);
        int size = layout.stream()
                .mapToInt(view -> view.offset() + view.size())
                .max()
                .orElse(0);
        firstMoments = new float[options.rule().moments() > 0 ? size : 0];
        secondMoments = new float[options.rule().moments() > 1 ? size : 0];
        lossScale = policy.lossScale();
        List<ParameterView> trainedViews =
                layout.stream().filter(view -> ruleOf(view) != null).toList();
        masterRounding =
                new ParameterRounding(trainedViews, policy, PrecisionSite.MASTER_WEIGHTS, 0, kernels.quantization());
        List<ParameterView> withFirst = firstMoments.length > 0 ? trainedViews : List.of();
        List<ParameterView> withSecond = secondMoments.length > 0 ? trainedViews : List.of();
        firstMomentRounding =
                new ParameterRounding(withFirst, policy, PrecisionSite.OPTIMIZER_STATE, 0, kernels.quantization());
        secondMomentRounding =
                new ParameterRounding(withSecond, policy, PrecisionSite.OPTIMIZER_STATE, 1, kernels.quantization());
    }

    /** Rounds the initial parameters with the random words of step 0. */
    public void start(float[] parameters) {
        masterRounding.round(parameters, parameters, 0);
    }

    /** Gradients passed to {@link #step} must be those of the loss times this factor. */
    double lossScale() {
        return lossScale;
    }

    private @Nullable UpdateRule ruleOf(ParameterView view) {
        UpdateRule rule = options.rule();
        double decay = view.vector() && !options.decayVectors() ? 0 : rule.weightDecay();
        for (ParameterGroup group : options.groups()) {
            if (group.contains(view.name())) {
                if (group.frozen()) {
                    return null;
                }
                double rate = group.rate() != null ? group.rate() : rule.learningRate();
                Double own = group.weightDecay();
                return with(rule, rate * group.rateFactor(), own != null ? own : decay);
            }
        }
        return with(rule, rule.learningRate(), decay);
    }

    private static void append(List<Range> ranges, Range next) {
        Range last = ranges.isEmpty() ? null : ranges.getLast();
        if (last != null && last.to == next.from && last.rule.equals(next.rule)) {
            ranges.set(ranges.size() - 1, new Range(next.rule, last.from, next.to));
        } else {
            ranges.add(next);
        }
    }

    private static UpdateRule with(UpdateRule rule, double rate, double decay) {
        return switch (rule) {
            case Sgd sgd -> new Sgd(rate, sgd.momentum(), sgd.nesterov(), decay);
            case Adam adam -> new Adam(rate, adam.beta1(), adam.beta2(), adam.epsilon(), decay);
            case AdamW adamW -> new AdamW(rate, adamW.beta1(), adamW.beta2(), adamW.epsilon(), decay);
        };
    }

    int ranges() {
        return ranges.length;
    }

    public OptimizerOptions options() {
        return options;
    }

    public PrecisionPolicy precision() {
        return precision;
    }

    public boolean clips() {
        return options.maxGradientNorm() < Double.POSITIVE_INFINITY;
    }

    /** The learning rate at step t for parameters that have no rate of their own. */
    public double learningRate(long step) {
        return options.rule().learningRate() * options.schedule().factor(step);
    }

    /** The sum of squares of {@code values} over the trained parameters. */
    public double squaredNorm(float[] values) {
        return squaredNorm(values, null);
    }

    /**
     * {@link #squaredNorm(float[])}; if {@code rows} is not null, skips its untouched rows, whose gradients are zero.
     */
    double squaredNorm(float[] values, @Nullable SparseRows rows) {
        double sum = 0;
        for (Range range : trained) {
            sum += rows == null
                    ? gradientNorm.squaredNorm(0, values, range.from, range.to)
                    : rows.squaredNorm(gradientNorm, range.from, range.to);
        }
        return sum;
    }

    /** The table with gradients in only some rows; null if it is absent, small or frozen, or anything is rounded. */
    @Nullable
    SparseRows sparseRows(Objective objective, float[] gradients) {
        ParameterView table = objective.rowsOfTokens();
        if (table == null || table.size() < LARGE_TABLE || !precision.equals(PrecisionPolicy.none())) {
            return null;
        }
        UpdateRule rule = ruleOf(table);
        return rule == null ? null : new SparseRows(this, table, rule, workers, objective.parameters(), gradients);
    }

    /**
     * Takes step t.
     *
     * @param gradients the gradients of the loss times {@link PrecisionPolicy#lossScale}
     * @param squaredNorm squared norm of the gradients of the unscaled loss; unused without clipping
     * @param step t: 1 at the first step
     */
    public void step(float[] parameters, float[] gradients, double squaredNorm, long step) {
        step(parameters, gradients, squaredNorm, step, null);
    }

    /** Takes step t. In the table of {@code rows}, updates only the touched rows. */
    void step(float[] parameters, float[] gradients, double squaredNorm, long step, @Nullable SparseRows rows) {
        float clipping = clips() ? OptimizerStep.clippingScale(squaredNorm, options.maxGradientNorm()) : 1;
        float scale = (float) (clipping / lossScale);
        for (Range range : ranges) {
            if (rows != null && range.from <= rows.from() && rows.to() <= range.to) {
                step(parameters, gradients, scale, range.rule, step, range.from, rows.from());
                rows.step(scale, step);
                step(parameters, gradients, scale, range.rule, step, rows.to(), range.to);
            } else {
                step(parameters, gradients, scale, range.rule, step, range.from, range.to);
            }
        }
        firstMomentRounding.round(firstMoments, firstMoments, step);
        secondMomentRounding.round(secondMoments, secondMoments, step);
        masterRounding.round(parameters, parameters, step);
    }

    /** Takes step t for adjacent parameters with the same rule, without rounding. */
    void step(float[] parameters, float[] gradients, float scale, UpdateRule rule, long step, int from, int to) {
        double factor = options.schedule().factor(step);
        Coefficients ofStep = coefficients.get();
        ofStep.set(rule, factor, step, scale);
        optimizerStep.step(parameters, firstMoments, secondMoments, gradients, ofStep, from, to);
    }

    /** The moments by their names in a checkpoint, not copied. */
    public SequencedMap<String, float[]> moments() {
        var moments = new TreeMap<String, float[]>();
        if (options.rule().moments() > 0) {
            moments.put(FIRST_MOMENTS, firstMoments);
        }
        if (options.rule().moments() > 1) {
            moments.put(SECOND_MOMENTS, secondMoments);
        }
        return moments;
    }
}
