package org.lemmata.kernel;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.activation.ScalarActivation;
import org.lemmata.kernel.activation.VectorActivation;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.arithmetic.ScalarArithmetic;
import org.lemmata.kernel.arithmetic.VectorArithmetic;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.attention.cached.CachedAttention;
import org.lemmata.kernel.attention.cached.ScalarCachedAttention;
import org.lemmata.kernel.attention.cached.VectorCachedAttention;
import org.lemmata.kernel.dropout.Dropout;
import org.lemmata.kernel.dropout.ScalarDropout;
import org.lemmata.kernel.dropout.VectorDropout;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.embedding.Embedding;
import org.lemmata.kernel.embedding.ScalarEmbedding;
import org.lemmata.kernel.embedding.VectorEmbedding;
import org.lemmata.kernel.feedforward.FeedForward;
import org.lemmata.kernel.loss.ScalarSoftmaxCrossEntropy;
import org.lemmata.kernel.loss.ScalarSquaredError;
import org.lemmata.kernel.loss.SoftmaxCrossEntropy;
import org.lemmata.kernel.loss.SquaredError;
import org.lemmata.kernel.loss.VectorSoftmaxCrossEntropy;
import org.lemmata.kernel.loss.VectorSquaredError;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.ScalarMatMul;
import org.lemmata.kernel.matmul.VectorMatMul;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.normalization.ScalarNormalization;
import org.lemmata.kernel.normalization.VectorNormalization;
import org.lemmata.kernel.optimizer.GradientNorm;
import org.lemmata.kernel.optimizer.OptimizerStep;
import org.lemmata.kernel.optimizer.ScalarGradientNorm;
import org.lemmata.kernel.optimizer.ScalarOptimizerStep;
import org.lemmata.kernel.optimizer.VectorGradientNorm;
import org.lemmata.kernel.optimizer.VectorOptimizerStep;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.kernel.quantization.ScalarQuantization;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.softmax.ScalarSoftmax;
import org.lemmata.kernel.softmax.Softmax;
import org.lemmata.kernel.softmax.VectorSoftmax;
import org.lemmata.kernel.thread.Workers;

/** One implementation of each operation, scalar or with SIMD. */
public final class Kernels {

    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    private final Embedding embedding;
    private final Normalization normalization;
    private final MatMul matMul;
    private final Attention attention;
    private final CachedAttention cachedAttention;
    private final Activation activation;
    private final FeedForward feedForward;
    private final Dropout dropout;
    private final Quantization quantization;
    private final Arithmetic arithmetic;
    private final Softmax softmax;
    private final SoftmaxCrossEntropy softmaxCrossEntropy;
    private final SquaredError squaredError;
    private final GradientNorm gradientNorm;
    private final OptimizerStep optimizerStep;
    private final Workers workers;
    private final boolean simd;

    /** Classes are loaded when they are instantiated, so a JVM without the Vector API loads no class that needs it. */
    private Kernels(boolean simd, Workers workers, Attention attention) {
        embedding = simd ? new VectorEmbedding(workers) : new ScalarEmbedding();
        normalization = simd ? new VectorNormalization(workers) : new ScalarNormalization();
        matMul = simd ? new VectorMatMul(workers) : new ScalarMatMul();
        this.attention = attention;
        cachedAttention = simd ? new VectorCachedAttention(workers) : new ScalarCachedAttention();
        activation = simd ? new VectorActivation(workers) : new ScalarActivation();
        feedForward = simd ? FeedForward.vector(workers) : FeedForward.scalar();
        dropout = simd ? new VectorDropout(workers) : new ScalarDropout();
        quantization = simd ? new VectorQuantization(workers) : new ScalarQuantization();
        arithmetic = simd ? new VectorArithmetic(workers) : new ScalarArithmetic();
        softmax = simd ? new VectorSoftmax(workers) : new ScalarSoftmax();
        softmaxCrossEntropy = simd ? new VectorSoftmaxCrossEntropy(workers) : new ScalarSoftmaxCrossEntropy();
        squaredError = simd ? new VectorSquaredError(workers) : new ScalarSquaredError();
        gradientNorm = simd ? new VectorGradientNorm(workers) : new ScalarGradientNorm();
        optimizerStep = simd ? new VectorOptimizerStep(workers) : new ScalarOptimizerStep();
        this.workers = workers;
        this.simd = simd;
    }

    public static Kernels scalar() {
        return new Kernels(false, Workers.caller(), new ScalarAttention());
    }

    /** The fastest implementations that this JVM can run, only on the calling thread. */
    public static Kernels best() {
        return best(Workers.caller());
    }

    /**
     * The fastest implementations that this JVM can run: with SIMD if it was started with the Vector API, otherwise
     * scalar. The bits do not depend on the number of threads.
     *
     * @param workers the threads that share the work of a call; scalar implementations run on the calling thread
     * @throws IllegalArgumentException if the system property {@link Species#PROPERTY} is not a supported vector width
     */
    public static Kernels best(Workers workers) {
        return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent() ? vector(workers) : scalar();
    }

    /** Separate from {@link #best}, so that a JVM without the Vector API loads no class that needs it. */
    private static Kernels vector(Workers workers) {
        // Checked before Species is initialized: if its initialization failed, later calls would not get the reason.
        String bits = System.getProperty(Species.PROPERTY);
        if (bits != null && !bits.matches("128|256|512")) {
            throw new IllegalArgumentException(
                    Species.PROPERTY + ": expected 128, 256 or 512, got " + Refuse.quoted(bits));
        }
        return new Kernels(true, workers, new VectorAttention(workers));
    }

    /** A copy of these kernels that uses {@code newAttention}. */
    public Kernels withAttention(Attention newAttention) {
        return new Kernels(simd, workers, newAttention);
    }

    public Embedding embedding() {
        return embedding;
    }

    public Normalization normalization() {
        return normalization;
    }

    public MatMul matMul() {
        return matMul;
    }

    public Attention attention() {
        return attention;
    }

    public CachedAttention cachedAttention() {
        return cachedAttention;
    }

    public Activation activation() {
        return activation;
    }

    public FeedForward feedForward() {
        return feedForward;
    }

    public Dropout dropout() {
        return dropout;
    }

    public Quantization quantization() {
        return quantization;
    }

    public Arithmetic arithmetic() {
        return arithmetic;
    }

    public Softmax softmax() {
        return softmax;
    }

    public SoftmaxCrossEntropy softmaxCrossEntropy() {
        return softmaxCrossEntropy;
    }

    public SquaredError squaredError() {
        return squaredError;
    }

    public GradientNorm gradientNorm() {
        return gradientNorm;
    }

    public OptimizerStep optimizerStep() {
        return optimizerStep;
    }

    /** The threads that share the work of a call. Rounded operations, which are created per policy, also use them. */
    public Workers workers() {
        return workers;
    }

    public boolean simd() {
        return simd;
    }

    /** One line of text that names the vector width, or the option that enables SIMD. */
    public String description() {
        return simd ? "SIMD, " + Species.description() : "scalar: start the JVM with --add-modules " + VECTOR_MODULE;
    }
}
