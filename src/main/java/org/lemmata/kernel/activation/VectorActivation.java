package org.lemmata.kernel.activation;

import java.util.Objects;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorCos;
import org.lemmata.kernel.elementary.VectorSin;
import org.lemmata.kernel.thread.Workers;

/** On SIMD lanes, in chunks of {@value #CHUNK} elements; what does not fill a vector by the scalar forms. */
public final class VectorActivation implements Activation {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /** About 5 microseconds with the dearest of them, so that 20 keep two threads busy. */
    private static final int CHUNK = 1 << 13;

    /** Sines that a thread keeps for a moment: what fits the first-level cache beside the three arrays. */
    private static final int SINES = 1024;

    private static final ThreadLocal<Call> CALL = ThreadLocal.withInitial(Call::new);

    private static final ThreadLocal<float[]> SINE = ThreadLocal.withInitial(() -> new float[SINES]);

    private final Workers workers;

    /** On the calling thread alone. */
    public VectorActivation() {
        this(Workers.caller());
    }

    public VectorActivation(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void forwardInto(Kind kind, float[] y, int yOffset, float[] x, int xOffset, int length) {
        Activation.check(y, yOffset, x, xOffset, length);
        if (length <= CHUNK) {
            forwardChunk(kind, y, yOffset, x, xOffset, length);
        } else {
            CALL.get().run(workers, kind, y, yOffset, null, 0, x, xOffset, length);
        }
    }

    @Override
    public void backwardInto(
            Kind kind, float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        Activation.check(dx, dxOffset, dy, dyOffset, x, xOffset, length);
        if (length <= CHUNK) {
            backwardChunk(kind, dx, dxOffset, dy, dyOffset, x, xOffset, length);
        } else {
            CALL.get().run(workers, kind, dx, dxOffset, dy, dyOffset, x, xOffset, length);
        }
    }

    /** The arguments of a call, for the threads that take its chunks. */
    private static final class Call implements Workers.Chunks {

        private Kind kind = Kind.RELU;
        private float @Nullable [] result;
        private int resultOffset;
        private float @Nullable [] dy;
        private int dyOffset;
        private float @Nullable [] x;
        private int xOffset;
        private int length;

        /** Forward if {@code dy} is null. */
        void run(
                Workers workers,
                Kind kind,
                float[] result,
                int resultOffset,
                float @Nullable [] dy,
                int dyOffset,
                float[] x,
                int xOffset,
                int length) {
            this.kind = kind;
            this.result = result;
            this.resultOffset = resultOffset;
            this.dy = dy;
            this.dyOffset = dyOffset;
            this.x = x;
            this.xOffset = xOffset;
            this.length = length;
            try {
                workers.run(Math.ceilDiv(length, CHUNK), this);
            } finally {
                this.result = null;
                this.dy = null;
                this.x = null;
            }
        }

        @Override
        public void run(int chunk) {
            int at = chunk * CHUNK;
            int size = Math.min(CHUNK, length - at);
            float[] input = Objects.requireNonNull(x);
            float[] output = Objects.requireNonNull(result);
            float[] gradient = dy;
            if (gradient == null) {
                forwardChunk(kind, output, resultOffset + at, input, xOffset + at, size);
            } else {
                backwardChunk(kind, output, resultOffset + at, gradient, dyOffset + at, input, xOffset + at, size);
            }
        }
    }

    private static void forwardChunk(Kind kind, float[] y, int yOffset, float[] x, int xOffset, int length) {
        int whole = SPECIES.loopBound(length);
        switch (kind) {
            case RELU -> relu(y, yOffset, x, xOffset, whole);
            case GELU -> Gelu.valueInto(y, yOffset, x, xOffset, whole);
            case TANH_GELU -> tanhGelu(y, yOffset, x, xOffset, whole);
            case COSINE -> VectorCos.cosInto(y, yOffset, x, xOffset, whole);
        }
        for (int i = whole; i < length; i++) {
            y[yOffset + i] = ScalarActivation.value(kind, x[xOffset + i]);
        }
    }

    private static void backwardChunk(
            Kind kind, float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        int whole = SPECIES.loopBound(length);
        switch (kind) {
            case RELU -> reluBackward(dx, dxOffset, dy, dyOffset, x, xOffset, whole);
            case GELU -> Gelu.gradientInto(dx, dxOffset, dy, dyOffset, x, xOffset, whole);
            case TANH_GELU -> tanhGeluBackward(dx, dxOffset, dy, dyOffset, x, xOffset, whole);
            case COSINE -> cosineBackward(dx, dxOffset, dy, dyOffset, x, xOffset, whole);
        }
        for (int i = whole; i < length; i++) {
            dx[dxOffset + i] = ScalarActivation.gradient(kind, dy[dyOffset + i], x[xOffset + i]);
        }
    }

    private static void relu(float[] y, int yOffset, float[] x, int xOffset, int length) {
        for (int i = 0; i < length; i += LANES) {
            FloatVector input = FloatVector.fromArray(SPECIES, x, xOffset + i);
            input.blend(0, input.compare(VectorOperators.LE, 0)).intoArray(y, yOffset + i);
        }
    }

    private static void reluBackward(
            float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        for (int i = 0; i < length; i += LANES) {
            FloatVector input = FloatVector.fromArray(SPECIES, x, xOffset + i);
            FloatVector.fromArray(SPECIES, dy, dyOffset + i)
                    .blend(0, input.compare(VectorOperators.LE, 0))
                    .intoArray(dx, dxOffset + i);
        }
    }

    private static void tanhGelu(float[] y, int yOffset, float[] x, int xOffset, int length) {
        for (int i = 0; i < length; i += LANES) {
            TanhGelu.value(FloatVector.fromArray(SPECIES, x, xOffset + i)).intoArray(y, yOffset + i);
        }
    }

    private static void tanhGeluBackward(
            float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        for (int i = 0; i < length; i += LANES) {
            FloatVector.fromArray(SPECIES, dy, dyOffset + i)
                    .mul(TanhGelu.slope(FloatVector.fromArray(SPECIES, x, xOffset + i)))
                    .intoArray(dx, dxOffset + i);
        }
    }

    /** The sines go aside first, for dx may be dy or x. */
    private static void cosineBackward(
            float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        float[] sines = SINE.get();
        for (int at = 0; at < length; at += SINES) {
            int size = Math.min(SINES, length - at);
            VectorSin.sinInto(sines, 0, x, xOffset + at, size);
            for (int i = 0; i < size; i += LANES) {
                FloatVector.fromArray(SPECIES, dy, dyOffset + at + i)
                        .mul(FloatVector.fromArray(SPECIES, sines, i))
                        .neg()
                        .intoArray(dx, dxOffset + at + i);
            }
        }
    }
}
