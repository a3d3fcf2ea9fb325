package org.lemmata.construct.parity;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;

/**
 * Answers bits by the chain that was learned from drawn samples: {@code parity}, the sign of the model's answer, 0
 * where it is 0; {@code prediction}, the answer itself; {@code chain}, all outputs beyond the bits, the last of which
 * it is.
 *
 * @param samples n, how many are drawn
 * @param learning the weights of the columns of all nodes; what else it draws comes from the same generator
 */
record ParityChainRun(
        ParityTree tree,
        int samples,
        long seed,
        ParityLink link,
        BiFunction<SignColumns, RandomGenerator, ChainWeights> learning)
        implements ConstructionRun {

    @Override
    public Function<String, Map<String, Object>> answers(Function<Construction, LanguageModel> models) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        SignColumns signs = tree.complete(SignColumns.random(tree.bits(), samples, random));
        var model = new ParityTransformer(learning.apply(signs, random), link, Workers.caller());
        return line -> answer(model, line);
    }

    private Map<String, Object> answer(ParityTransformer model, String line) {
        if (line.length() != tree.bits()) {
            throw new IllegalArgumentException("input: expected " + tree.bits() + " bits, 0 or 1 without blanks, got "
                    + line.length() + " characters");
        }
        var inputs = new SignColumns(tree.bits(), 1);
        for (int j = 0; j < tree.bits(); j++) {
            char bit = line.charAt(j);
            if (bit != '0' && bit != '1') {
                throw new IllegalArgumentException(
                        "input: expected 0 or 1 at position " + (j + 1) + ", got '" + bit + "'");
            }
            inputs.set(j, 0, bit == '1');
        }
        double[] chain = model.chain(inputs, 0);
        double prediction = chain[chain.length - 1];
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("parity", (int) Math.signum(prediction));
        answer.put("prediction", prediction);
        answer.put("chain", Arrays.stream(chain).skip(tree.bits()).boxed().toList());
        return answer;
    }
}
