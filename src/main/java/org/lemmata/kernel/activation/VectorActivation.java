package org.lemmata.kernel.activation;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorSine;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/** Runs on SIMD lanes, in chunks of {@value #CHUNK} elements; scalar code computes the last, incomplete vector. */
public final class VectorActivation implements Activation {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /** The number of elements in a chunk: about 5 microseconds of work for the slowest function. */
    private static final int CHUNK = 1 << 13;

    /** The number of sines computed at a time. With the parts of dx, dy and x, they fit in the first-level cache. */
    private static final int SINES = 1024;

    private static final ThreadLocal<Call> CALL = ThreadLocal.withInitial(Call::new);

    private static final ThreadLocal<float[]> SINE = ThreadLocal.withInitial(() -> new float[SINES]);

    private final Workers workers;

    public VectorActivation(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void forwardInto(Kind kind, Matrix y, Matrix x) {
        Activation.check(y, x);
        CALL.get().run(workers, kind, y, null, x, false);
    }

    @Override
    public void backwardInto(Kind kind, Matrix dx, Matrix dy, Matrix x) {
        Activation.check(dx, dy, x);
        CALL.get().run(workers, kind, dx, dy, x, false);
    }

    @Override
    public void bothInto(Kind kind, Matrix y, Matrix gradient, Matrix x) {
        if (kind == Kind.GELU) {
            Activation.checkBoth(y, gradient, x);
            CALL.get().run(workers, kind, y, gradient, x, true);
        } else {
            Activation.super.bothInto(kind, y, gradient, x);
        }
    }

    private static final class Call implements Workers.Chunks {

        private static final Matrix NONE = Matrix.empty();

        private Kind kind = Kind.RELU;
        private Matrix result = NONE;
        private @Nullable Matrix dy;
        private Matrix x = NONE;
        private int length;
        private boolean both;

        /** Runs the forward pass if {@code newDy} is null. */
        void run(
                Workers workers, Kind newKind, Matrix newResult, @Nullable Matrix newDy, Matrix newX, boolean newBoth) {
            both = newBoth;
            kind = newKind;
            result = newResult;
            dy = newDy;
            x = newX;
            length = newX.rows() * newX.columns();
            try {
                workers.run(Math.ceilDiv(length, CHUNK), this);
            } finally {
                result = NONE;
                dy = null;
                x = NONE;
            }
        }

        @Override
        public void run(int chunk) {
            int at = chunk * CHUNK;
            int size = Math.min(CHUNK, length - at);
            Matrix gradient = dy;
            float[] output = result.array();
            int to = result.offset() + at;
            int from = x.offset() + at;
            if (gradient == null) {
                forwardChunk(kind, output, to, x.array(), from, size);
            } else if (both) {
                geluChunk(output, to, gradient.array(), gradient.offset() + at, x.array(), from, size);
            } else {
                backwardChunk(kind, output, to, gradient.array(), gradient.offset() + at, x.array(), from, size);
            }
        }
    }

    private static void forwardChunk(Kind kind, float[] y, int yOffset, float[] x, int xOffset, int length) {
        int whole = SPECIES.loopBound(length);
        switch (kind) {
            case RELU -> relu(y, yOffset, x, xOffset, whole);
            case GELU -> Gelu.valueInto(y, yOffset, x, xOffset, whole);
            case TANH_GELU -> tanhGelu(y, yOffset, x, xOffset, whole);
            case COSINE -> VectorSine.cosInto(y, yOffset, x, xOffset, whole);
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

    private static void geluChunk(
            float[] y, int yOffset, float[] gradient, int gradientOffset, float[] x, int xOffset, int length) {
        int whole = SPECIES.loopBound(length);
        Gelu.bothInto(y, yOffset, gradient, gradientOffset, x, xOffset, whole);
        for (int i = whole; i < length; i++) {
            y[yOffset + i] = ScalarActivation.value(Kind.GELU, x[xOffset + i]);
            float dy = gradient[gradientOffset + i];
            gradient[gradientOffset + i] = ScalarActivation.gradient(Kind.GELU, dy, x[xOffset + i]);
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

    /** Computes the sines first, because dx may be dy or x. */
    private static void cosineBackward(
            float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        float[] sines = SINE.get();
        for (int at = 0; at < length; at += SINES) {
            int size = Math.min(SINES, length - at);
            VectorSine.sinInto(sines, 0, x, xOffset + at, size);
            for (int i = 0; i < size; i += LANES) {
                FloatVector.fromArray(SPECIES, dy, dyOffset + at + i)
                        .mul(FloatVector.fromArray(SPECIES, sines, i))
                        .neg()
                        .intoArray(dx, dxOffset + at + i);
            }
        }
    }
}
