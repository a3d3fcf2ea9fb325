package org.lemmata.kernel;

import java.util.Objects;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.activation.ScalarActivation;
import org.lemmata.kernel.activation.VectorActivation;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.arithmetic.ScalarArithmetic;
import org.lemmata.kernel.arithmetic.VectorArithmetic;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.CachedAttention;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.attention.ScalarCachedAttention;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.attention.VectorCachedAttention;
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

/**
 * The implementation chosen for each operation, in the order in which a training step comes to them.
 *
 * @param workers who shares the work of a call: rounded operations, which are made for a policy, are given them, too
 * @param simd whether implementations on SIMD lanes are among them
 */
public record Kernels(
        Embedding embedding,
        Normalization normalization,
        MatMul matMul,
        Attention attention,
        CachedAttention cachedAttention,
        Activation activation,
        FeedForward feedForward,
        Dropout dropout,
        Quantization quantization,
        Arithmetic arithmetic,
        Softmax softmax,
        SoftmaxCrossEntropy softmaxCrossEntropy,
        SquaredError squaredError,
        GradientNorm gradientNorm,
        OptimizerStep optimizerStep,
        Workers workers,
        boolean simd) {

    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    /** The reference implementations. */
    public static Kernels scalar() {
        return new Kernels(
                new ScalarEmbedding(),
                new ScalarNormalization(),
                new ScalarMatMul(),
                new ScalarAttention(),
                new ScalarCachedAttention(),
                new ScalarActivation(),
                FeedForward.scalar(),
                new ScalarDropout(),
                new ScalarQuantization(),
                new ScalarArithmetic(),
                new ScalarSoftmax(),
                new ScalarSoftmaxCrossEntropy(),
                new ScalarSquaredError(),
                new ScalarGradientNorm(),
                new ScalarOptimizerStep(),
                Workers.caller(),
                false);
    }

    /** The fastest implementations that this JVM can run, on the calling thread alone. */
    public static Kernels best() {
        return best(Workers.caller());
    }

    /**
     * The fastest implementations that this JVM can run: on SIMD lanes if it was started with the Vector API, else
     * scalar. The bits do not depend on the number of threads.
     *
     * @param workers who shares the work of a call; scalar implementations run on the calling thread
     * @throws IllegalArgumentException if the system property {@link Species#PROPERTY} names no lane width
     */
    public static Kernels best(Workers workers) {
        return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent() ? vector(workers) : scalar();
    }

    /** Apart from {@link #best}, so that a JVM without the Vector API never meets a class that needs it. */
    private static Kernels vector(Workers workers) {
        try {
            Objects.requireNonNull(Species.FLOAT);
        } catch (ExceptionInInitializerError error) {
            // A bad property is the user's input, whatever class it stopped.
            if (error.getCause() instanceof IllegalArgumentException refusal) {
                throw refusal;
            }
            throw error;
        }
        return new Kernels(
                new VectorEmbedding(workers),
                new VectorNormalization(workers),
                new VectorMatMul(workers),
                new VectorAttention(workers),
                new VectorCachedAttention(workers),
                new VectorActivation(workers),
                FeedForward.vector(workers),
                new VectorDropout(workers),
                new VectorQuantization(workers),
                new VectorArithmetic(workers),
                new VectorSoftmax(workers),
                new VectorSoftmaxCrossEntropy(workers),
                new VectorSquaredError(workers),
                new VectorGradientNorm(workers),
                new VectorOptimizerStep(workers),
                workers,
                true);
    }

    /** The same with another matrix product. */
    public Kernels withMatMul(MatMul newMatMul) {
        return new Kernels(
                embedding,
                normalization,
                newMatMul,
                attention,
                cachedAttention,
                activation,
                feedForward,
                dropout,
                quantization,
                arithmetic,
                softmax,
                softmaxCrossEntropy,
                squaredError,
                gradientNorm,
                optimizerStep,
                workers,
                simd);
    }

    /** The same with another attention. */
    public Kernels withAttention(Attention newAttention) {
        return new Kernels(
                embedding,
                normalization,
                matMul,
                newAttention,
                cachedAttention,
                activation,
                feedForward,
                dropout,
                quantization,
                arithmetic,
                softmax,
                softmaxCrossEntropy,
                squaredError,
                gradientNorm,
                optimizerStep,
                workers,
                simd);
    }

    /** One line for people: the lanes used, or how to get some. */
    public String description() {
        return simd
                ? "SIMD, " + Species.FLOAT.vectorBitSize() + "-bit species (" + Species.FLOAT.length() + " lanes)"
                : "scalar: start the JVM with --add-modules " + VECTOR_MODULE;
    }
}
