package org.lemmata.oracle;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.oracle.StraightThrough.Value;

/**
 * The forward pass of the transformer with a rounding at each site, one number at a time, from the definitions. Tensors
 * are computed in binary64 and rounded once, to binary32 if their site has no rounding. With the site {@code sums},
 * every product and every addition is rounded, in ascending order. Derivatives ignore roundings (straight-through).
 * With the site {@code gradients}, each is rounded once it is complete.
 *
 * <p>Without {@code sums}, binary32 sums of the kernels differ in the last bits from the binary64 sums here, so numbers
 * are sometimes rounded to the other neighbour.
 */
public final class RoundedForward {

    /**
     * An architecture; enumeration constants are given by name.
     *
     * @param positionRows the rows of the position table; 0 if there is none
     * @param activation null without a feed-forward part
     */
    public record Shape(
            int width,
            int layers,
            int outputs,
            int positionRows,
            int heads,
            int headWidth,
            String weighting,
            boolean causal,
            double scoreScale,
            String logLength,
            int biasSpan,
            int thresholdBits,
            boolean identities,
            boolean normalizedHeads,
            boolean outputProjection,
            @Nullable String activation,
            String placement,
            boolean layerNorm,
            double epsilon,
            boolean residual,
            boolean tied) {}

    private static final Value[] NONE = {};

    private final Shape shape;
    private final Map<String, DoubleUnaryOperator> sites;
    private final StraightThrough numbers;
    private final Map<String, Value[]> parameters = new HashMap<>();

    /** The rounded parameters. */
    private final Map<String, Value[]> weights = new HashMap<>();

    /**
     * @param tensors row-major parameters by name
     * @param sites roundings by the name of the site
     * @param differentiates whether {@link #gradients} will be called
     */
    public RoundedForward(
            Shape shape,
            Map<String, double[]> tensors,
            Map<String, DoubleUnaryOperator> sites,
            boolean differentiates) {
        this.shape = shape;
        this.sites = sites;
        this.numbers =
                new StraightThrough(differentiates, sites.getOrDefault("gradients", DoubleUnaryOperator.identity()));
        tensors.forEach((name, tensor) -> {
            Value[] leaves = Arrays.stream(tensor).mapToObj(numbers::leaf).toArray(Value[]::new);
            parameters.put(name, leaves);
            weights.put(name, all("weights", leaves));
        });
    }

    /** The outputs, one row per token. */
    public double[][] outputs(int[] ids) {
        return values(logits(ids));
    }

    /** The derivatives of a loss by the outputs of a sequence, one row per token. */
    @FunctionalInterface
    public interface Loss {
        double[][] derivatives(int sequence, double[][] outputs);
    }

    /** The derivatives of a loss over sequences, by parameter. Must be called only once. */
    public Map<String, double[]> gradients(List<int[]> sequences, Loss loss) {
        for (int sequence = 0; sequence < sequences.size(); sequence++) {
            Value[][] logits = logits(sequences.get(sequence));
            double[][] derivatives = loss.derivatives(sequence, values(logits));
            for (int t = 0; t < logits.length; t++) {
                for (int v = 0; v < shape.outputs; v++) {
                    logits[t][v].gradient = derivatives[t][v];
                }
            }
        }
        numbers.back();
        var gradients = new HashMap<String, double[]>();
        parameters.forEach((name, values) -> gradients.put(
                name, Arrays.stream(values).mapToDouble(value -> value.gradient).toArray()));
        return gradients;
    }

    private static double[][] values(Value[][] numbers) {
        return Arrays.stream(numbers)
                .map(row ->
                        Arrays.stream(row).mapToDouble(number -> number.value).toArray())
                .toArray(double[][]::new);
    }

    private Value[][] logits(int[] ids) {
        Value[][] x = new Value[ids.length][shape.width];
        Value[] tokens = weights("token_embedding");
        for (int t = 0; t < ids.length; t++) {
            for (int c = 0; c < shape.width; c++) {
                Value token = tokens[ids[t] * shape.width + c];
                x[t][c] = shape.positionRows == 0
                        ? at("embeddings", token.value, token)
                        : sum(
                                "embeddings",
                                token,
                                weights("position_embedding")[t % shape.positionRows * shape.width + c]);
            }
        }
        for (int layer = 0; layer < shape.layers; layer++) {
            String of = "layer." + layer + ".";
            x = attention(x, of);
            if (shape.activation != null) {
                x = feedForward(x, of);
            }
        }
        Value[][] read = shape.placement.equals("PRE") ? norm(x, "final_norm") : x;
        Value[] unembedding = weights(shape.tied ? "token_embedding" : "unembedding");
        Value[][] outputs = new Value[ids.length][shape.outputs];
        for (int t = 0; t < ids.length; t++) {
            for (int v = 0; v < shape.outputs; v++) {
                Value[] row = Arrays.copyOfRange(unembedding, v * shape.width, (v + 1) * shape.width);
                outputs[t][v] = at("logits", dot(bias("unembedding_bias", v), read[t], row));
            }
        }
        return outputs;
    }

    private Value[][] attention(Value[][] x, String of) {
        Value[][] u = read(x, of + "attention_norm");
        boolean scored = !shape.weighting.equals("UNIFORM");
        Value[][] queries = u;
        Value[][] keys = u;
        if (scored) {
            queries = map(u, of + "query", of + "query_bias", "queries-keys-values");
            keys = map(u, of + "key", of + "key_bias", "queries-keys-values");
        }
        if (shape.normalizedHeads) {
            queries = headNorm(queries, of + "query_norm");
            keys = headNorm(keys, of + "key_norm");
        }
        Value[][] values = map(u, of + "value", of + "value_bias", "queries-keys-values");
        Value[][] heads = new Value[x.length][shape.heads * shape.headWidth];
        Value[][] identity = new Value[x.length][shape.width];
        for (int i = 0; i < x.length; i++) {
            int seen = shape.causal ? i + 1 : x.length;
            Value[][] averages = new Value[shape.heads][shape.width];
            for (int head = 0; head < shape.heads; head++) {
                Value[] scores = new Value[scored ? seen : 0];
                for (int j = 0; j < scores.length; j++) {
                    scores[j] = score(queries[i], keys[j], u, i, j, head, of);
                }
                Value[] w = scored ? weigh(scores, x.length) : equal(seen);
                Value total = sumOf(w);
                for (int d = head * shape.headWidth; d < (head + 1) * shape.headWidth; d++) {
                    heads[i][d] = at("outputs", quotient(dot(null, w, column(values, d, seen)), total));
                }
                for (int c = 0; c < shape.width && shape.identities; c++) {
                    averages[head][c] = binary32(quotient(dot(null, w, column(u, c, seen)), total));
                }
            }
            for (int c = 0; c < shape.width && shape.identities; c++) {
                Value[] factors = weights(of + "value_output_identity");
                identity[i][c] = at("outputs", dot(null, factors, column(averages, c, shape.heads)));
            }
        }
        Value[][] y = shape.outputProjection
                ? map(heads, of + "output", of + "output_bias", "residual")
                : all("residual", heads);
        return finish(x, shape.identities ? sums("residual", y, identity) : y, of + "attention_norm");
    }

    private static Value[] column(Value[][] rows, int column, int count) {
        return Arrays.stream(rows, 0, count).map(row -> row[column]).toArray(Value[]::new);
    }

    private Value score(Value[] query, Value[] key, Value[][] u, int i, int j, int head, String of) {
        int from = head * shape.headWidth;
        int to = from + shape.headWidth;
        Value product = dot(null, Arrays.copyOfRange(query, from, to), Arrays.copyOfRange(key, from, to));
        if (shape.identities) {
            Value factor = weights(of + "key_query_identity")[head];
            Value[] scaled = Arrays.stream(u[j])
                    .map(x -> numbers.of((float) (factor.value * x.value), new Value[] {factor, x}, new double[] {
                        x.value, factor.value
                    }))
                    .toArray(Value[]::new);
            product = dot(product, u[i], scaled);
        }
        double scale = shape.scoreScale;
        Value score = numbers.of((float) (scale * product.value), new Value[] {product}, new double[] {scale});
        int distance = i - j;
        if (distance < 0 || distance >= shape.biasSpan) {
            return at("scores", score);
        }
        Value bias = weights(of + "score_bias")[head * shape.biasSpan + distance];
        Value sum = numbers.of((float) (score.value + bias.value), new Value[] {score, bias}, new double[] {1, 1});
        return at("scores", sum);
    }

    private Value[] equal(int count) {
        Value one = narrow("exponentials", numbers.of(1, NONE, new double[0]));
        return Stream.generate(() -> one).limit(count).toArray(Value[]::new);
    }

    private Value[] weigh(Value[] scores, int length) {
        double maximum =
                Arrays.stream(scores).mapToDouble(score -> score.value).max().orElse(0);
        int counted = shape.logLength.equals("SEQUENCE") ? length : scores.length;
        double factor = shape.logLength.equals("NONE") ? 1 : (float) Math.log(counted);
        Value[] result = new Value[scores.length];
        for (int j = 0; j < scores.length; j++) {
            double gap = maximum - scores[j].value;
            double limit = shape.thresholdBits * (1 - 0x1p-50);
            boolean zero = shape.weighting.equals("HARDMAX")
                    ? gap != 0
                    : shape.weighting.equals("THRESHOLDED") && gap > 0 && gap * factor / Math.log(2) >= limit;
            double weight = round("exponentials", zero ? 0 : Math.exp(-gap * factor));
            double slope = shape.weighting.equals("HARDMAX") ? 0 : factor * weight;
            result[j] = numbers.of(weight, new Value[] {scores[j]}, new double[] {slope});
        }
        return result;
    }

    private Value[][] feedForward(Value[][] x, String of) {
        Value[][] u = read(x, of + "feed_forward_norm");
        Value[][] hidden = map(u, of + "first", of + "first_bias", "feed-forward");
        if (shape.placement.equals("INNER")) {
            hidden = norm(hidden, of + "inner_norm");
        }
        Value[][] active = new Value[x.length][];
        for (int t = 0; t < x.length; t++) {
            active[t] = Arrays.stream(hidden[t]).map(this::activate).toArray(Value[]::new);
        }
        Value[][] second = map(active, of + "second", of + "second_bias", "feed-forward");
        return finish(x, all("residual", second), of + "feed_forward_norm");
    }

    private Value activate(Value hidden) {
        double x = hidden.value;
        String name = Objects.requireNonNull(shape.activation);
        double[] slope = {ExactActivation.slope(name, x)};
        return at("feed-forward", numbers.of(ExactActivation.value(name, x), new Value[] {hidden}, slope));
    }

    /** The input of a part; its derivative is a separate tensor. */
    private Value[][] read(Value[][] x, String norm) {
        Value[][] own = new Value[x.length][];
        for (int t = 0; t < x.length; t++) {
            own[t] = Arrays.stream(x[t])
                    .map(value -> numbers.rounded(value.value, value))
                    .toArray(Value[]::new);
        }
        return shape.placement.equals("PRE") ? norm(own, norm) : own;
    }

    private Value[][] finish(Value[][] x, Value[][] y, String norm) {
        Value[][] sum = shape.residual ? sums("residual", y, x) : y;
        return shape.placement.equals("POST") ? norm(sum, norm) : sum;
    }

    private Value[][] map(Value[][] x, String matrix, String bias, String site) {
        int inner = x.length == 0 ? 1 : x[0].length;
        Value[] w = weights(matrix);
        int columns = w.length / inner;
        Value[][] y = new Value[x.length][columns];
        for (int c = 0; c < columns; c++) {
            Value[] column = new Value[inner];
            for (int k = 0; k < inner; k++) {
                column[k] = w[k * columns + c];
            }
            for (int t = 0; t < x.length; t++) {
                y[t][c] = at(site, dot(bias(bias, c), x[t], column));
            }
        }
        return y;
    }

    private Value[][] norm(Value[][] x, String name) {
        return Arrays.stream(x).map(row -> norm(row, name)).toArray(Value[][]::new);
    }

    /** Normalizes each head of each row separately. */
    private Value[][] headNorm(Value[][] x, String name) {
        Value[][] y = new Value[x.length][];
        for (int t = 0; t < x.length; t++) {
            y[t] = x[t].clone();
            for (int head = 0; head < shape.heads; head++) {
                int from = head * shape.headWidth;
                Value[] normed = norm(Arrays.copyOfRange(x[t], from, from + shape.headWidth), name);
                System.arraycopy(normed, 0, y[t], from, shape.headWidth);
            }
            y[t] = all("queries-keys-values", y[t]);
        }
        return y;
    }

    private Value[] norm(Value[] x, String name) {
        double[] row = Arrays.stream(x).mapToDouble(value -> value.value).toArray();
        var exact = new ExactNormalization(row, shape.layerNorm, shape.epsilon);
        double[] normalized = sites.containsKey("sums") ? normalizedByStep(row) : exact.normalized();
        Value[] y = new Value[x.length];
        for (int c = 0; c < y.length; c++) {
            double[] unit = new double[x.length];
            unit[c] = 1;
            Value h = numbers.of(normalized[c], x, exact.gradient(unit));
            Value gain = bias(name + ".gain", c);
            Value scaled = gain == null
                    ? h
                    : numbers.of(step(gain.value * h.value), new Value[] {gain, h}, new double[] {h.value, gain.value});
            Value shift = bias(name + ".shift", c);
            Value shifted = shift == null
                    ? scaled
                    : numbers.of(step(scaled.value + shift.value), new Value[] {scaled, shift}, new double[] {1, 1});
            y[c] = at("norms", shifted);
        }
        return y;
    }

    /** (x - m) / sqrt(v) with every step of m and v rounded. */
    private double[] normalizedByStep(double[] x) {
        double sum = 0;
        for (double value : x) {
            sum = step(sum + value);
        }
        double mean = shape.layerNorm ? step(sum / x.length) : 0;
        double[] difference = x.clone();
        double squares = 0;
        for (int c = 0; c < x.length; c++) {
            difference[c] = shape.layerNorm ? step(x[c] - mean) : x[c];
            squares = step(squares + step(difference[c] * difference[c]));
        }
        double root = step(1 / Math.sqrt(step(squares / x.length + shape.epsilon)));
        return Arrays.stream(difference).map(value -> step(value * root)).toArray();
    }

    private Value[][] sums(String site, Value[][] a, Value[][] b) {
        Value[][] sums = new Value[a.length][];
        for (int t = 0; t < a.length; t++) {
            sums[t] = new Value[a[t].length];
            for (int c = 0; c < a[t].length; c++) {
                sums[t][c] = sum(site, a[t][c], b[t][c]);
            }
        }
        return sums;
    }

    private Value sum(String site, Value a, Value b) {
        return at(site, numbers.of(a.value + b.value, new Value[] {a, b}, new double[] {1, 1}));
    }

    private Value quotient(Value a, Value b) {
        double quotient = a.value / b.value;
        return numbers.of(quotient, new Value[] {a, b}, new double[] {1 / b.value, -quotient / b.value});
    }

    private Value sumOf(Value[] values) {
        double sum = 0;
        for (Value value : values) {
            sum = step(sum + value.value);
        }
        double[] slopes = new double[values.length];
        Arrays.fill(slopes, 1);
        return numbers.of(sum, values, slopes);
    }

    /** start + sum_k a_k b_k, with each step rounded if sums are rounded. */
    private Value dot(@Nullable Value start, Value[] a, Value[] b) {
        int n = a.length;
        Value[] of = new Value[2 * n + (start == null ? 0 : 1)];
        double[] slopes = new double[of.length];
        double sum = start == null ? 0 : start.value;
        for (int k = 0; k < n; k++) {
            sum = step(sum + step(a[k].value * b[k].value));
            of[k] = a[k];
            slopes[k] = b[k].value;
            of[n + k] = b[k];
            slopes[n + k] = a[k].value;
        }
        if (start != null) {
            of[2 * n] = start;
            slopes[2 * n] = 1;
        }
        return numbers.of(sum, of, slopes);
    }

    private double step(double x) {
        return sites.containsKey("sums") ? round("sums", x) : x;
    }

    private Value[][] all(String site, Value[][] x) {
        return Arrays.stream(x).map(row -> all(site, row)).toArray(Value[][]::new);
    }

    private Value[] all(String site, Value[] x) {
        return Arrays.stream(x).map(value -> at(site, value)).toArray(Value[]::new);
    }

    private Value[] weights(String name) {
        return Objects.requireNonNull(weights.get(name), name);
    }

    private @Nullable Value bias(String name, int element) {
        Value[] vector = weights.get(name);
        return vector == null ? null : vector[element];
    }

    private double round(String site, double x) {
        DoubleUnaryOperator rounding = sites.get(site);
        return (float) (rounding == null ? x : rounding.applyAsDouble(x));
    }

    /** A number of a tensor, rounded at a site. */
    private Value at(String site, Value x) {
        return numbers.rounded(round(site, x.value), x);
    }

    private Value at(String site, double value, Value of) {
        return numbers.rounded(round(site, value), of);
    }

    /** A number, rounded at a site, whose derivative is not rounded. */
    private Value narrow(String site, Value x) {
        return numbers.of(round(site, x.value), new Value[] {x}, new double[] {1});
    }

    private Value binary32(Value x) {
        return numbers.of((float) x.value, new Value[] {x}, new double[] {1});
    }
}
