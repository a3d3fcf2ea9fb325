package org.lemmata.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.model.Architecture;
import org.lemmata.model.FixedWeights;
import org.lemmata.model.Initialization;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.train.ParameterGroup;

/**
 * The section {@code initialization}.
 *
 * @param weights the weights from which the run starts, if given; the law then affects only learning rates
 * @param law the distribution of the initial parameters
 * @param fixed values that replace drawn values
 */
record InitializationReader(
        Configuration section, Optional<StartingWeights> weights, Initialization law, List<FixedWeights> fixed) {

    InitializationReader {
        fixed = List.copyOf(fixed);
    }

    private enum Kind {
        GPT_2,
        MEAN_FIELD,
        MU_P,
        UNIFORM_FAN_IN
    }

    private enum Table {
        DRAWN,
        SINUSOIDAL,
        ONE_HOT
    }

    private enum Tokens {
        DRAWN,
        SIGNS
    }

    private enum Values {
        DRAWN,
        IDENTITY
    }

    static final Section SECTION = Section.of("initialization", Setting.table("""
        kind | gpt-2 | `gpt-2`: normal matrices and tables; the deviation of matrices that write to the residual stream
          is divided by the square root of their number. `mean-field`: variance 1 / width; for values 1 / head width,
          for the second feed-forward map 1 / `hidden`. `mu-p`: the best learning rate does not depend on the width;
          scores are divided by the head width, the unembedding is not tied, and the rates of `adam` and `adamw` for a
          map are divided by its number of inputs. `uniform-fan-in`: tables with variance 1; maps and biases uniform
          within ±1 / sqrt(number of inputs)
        standard-deviation | 0.02 | standard deviation of `gpt-2`
        zero-readout | false | whether the unembedding of `mu-p` starts at 0
        positions | drawn | `drawn` like the rest, or the fixed table `sinusoidal` or `one-hot`; freeze it with a group
        implied tokens | drawn | `drawn` like the rest, or `signs`: 1 in all columns for the first token, -1 for the
          second and last; freeze them with a group
        implied values | drawn | `drawn` like the rest, or `identity` for the value matrices; freeze them with a group
        implied from | none | initial weights instead: a safetensors file or the directory of a run; `model` must match
          them, or be absent
        """));

    static InitializationReader read(Configuration section, Optional<StartingWeights> weights) {
        Kind kind = section.choice("kind", Kind.class);
        if (weights.isPresent()) {
            Initialization rates =
                    kind == Kind.MU_P ? new Initialization.MaximalUpdate(false) : new Initialization.MeanField();
            return new InitializationReader(section, weights, rates, List.of());
        }
        Initialization law = switch (kind) {
            case GPT_2 -> new Initialization.Gpt2(section.get("standard-deviation", ValueType.POSITIVE));
            case MEAN_FIELD -> new Initialization.MeanField();
            case MU_P -> new Initialization.MaximalUpdate(section.flag("zero-readout"));
            case UNIFORM_FAN_IN -> new Initialization.UniformFanIn();
        };
        var fixed = new ArrayList<FixedWeights>();
        switch (section.choice("positions", Table.class)) {
            case DRAWN -> {}
            case SINUSOIDAL -> fixed.add(FixedWeights.SINUSOIDAL);
            case ONE_HOT -> fixed.add(FixedWeights.ONE_HOT);
        }
        if (section.choice("tokens", Tokens.class) == Tokens.SIGNS) {
            fixed.add(FixedWeights.SIGN_TOKENS);
        }
        if (section.choice("values", Values.class) == Values.IDENTITY) {
            fixed.add(FixedWeights.IDENTITY_VALUES);
        }
        return new InitializationReader(section, weights, law, fixed);
    }

    /** Whether muP applies, which by default divides scores by the head width and does not tie the unembedding. */
    boolean isMaximalUpdate() {
        return law instanceof Initialization.MaximalUpdate;
    }

    /**
     * The initial parameters of a run.
     *
     * @throws IllegalArgumentException if the law or a fixed value does not fit the architecture
     */
    Parameters draw(Architecture architecture, long seed) {
        if (weights.isPresent()) {
            return new Parameters(architecture, weights.get().values());
        }
        return section.checked(() -> {
            Parameters parameters = law.draw(architecture, new PhiloxGenerator(seed, Streams.INITIALIZATION, 0));
            fixed.forEach(each -> each.writeInto(parameters));
            return parameters;
        });
    }

    /**
     * Adds the law's factors for Adam's learning rates. Each parameter whose factor is not 1 gets its own group, which
     * precedes all others. Its other settings are copied from the first group that contains the parameter. A learning
     * rate set by that group is not multiplied.
     */
    List<ParameterGroup> withRateFactors(List<ParameterGroup> groups, Architecture architecture) {
        var all = new ArrayList<ParameterGroup>();
        for (ParameterView view : architecture.layout()) {
            double factor = section.checked(() -> law.adamRateFactor(architecture, view));
            if (factor == 1) {
                continue;
            }
            ParameterGroup own = groups.stream()
                    .filter(group -> group.contains(view.name()))
                    .findFirst()
                    .orElseGet(() -> ParameterGroup.of(view.name()));
            all.add(new ParameterGroup(
                    view.name(), own.rate(), own.rate() == null ? factor : 1, own.weightDecay(), own.frozen()));
        }
        all.addAll(groups);
        return all;
    }
}
