package org.lemmata.train;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Sha256;

/** The state of a run, except for its arrays of parameters and moments. */
final class TrainingState {

    private static final String HASH = "hash.";
    private static final String LOWEST_TRAIN_LOSS = "lowest_train_loss";

    long step;

    /** Input tokens read so far. */
    long tokens;

    /** Examples taken so far from the training stream. */
    long position;

    double trainLoss = Double.POSITIVE_INFINITY;
    double lowestTrainLoss = Double.POSITIVE_INFINITY;

    /** The lowest validation loss so far. */
    double bestLoss = Double.POSITIVE_INFINITY;

    long bestStep;

    /** The number of evaluations since {@link #bestStep}. */
    int staleEvaluations;

    /** The length of the curve in bytes. */
    long curveLength;

    /** The checksum of the first {@link #curveLength} bytes of the curve. */
    long curveChecksum;

    double seconds;

    final SortedMap<Long, StepHash> hashes = new TreeMap<>();

    SortedMap<String, String> toMap() {
        var map = new TreeMap<String, String>();
        map.put("tokens", Long.toString(tokens));
        map.put("position", Long.toString(position));
        map.put("train_loss", Double.toString(trainLoss));
        map.put(LOWEST_TRAIN_LOSS, Double.toString(lowestTrainLoss));
        map.put("best_loss", Double.toString(bestLoss));
        map.put("best_step", Long.toString(bestStep));
        map.put("stale_evaluations", Integer.toString(staleEvaluations));
        map.put("curve_length", Long.toString(curveLength));
        map.put("curve_crc32c", Long.toString(curveChecksum));
        map.put("seconds", Double.toString(seconds));
        hashes.forEach((at, hash) -> map.put(HASH + at, hash.text()));
        return map;
    }

    /**
     * Reads the state from a checkpoint.
     *
     * @throws IllegalArgumentException if a number is missing or malformed
     */
    static TrainingState of(Checkpoint checkpoint) {
        var state = new TrainingState();
        state.step = checkpoint.step();
        state.tokens = number(checkpoint, "tokens", Long::valueOf);
        state.position = number(checkpoint, "position", Long::valueOf);
        state.trainLoss = number(checkpoint, "train_loss", Double::valueOf);
        // Older checkpoints do not contain this number.
        if (checkpoint.state().containsKey(LOWEST_TRAIN_LOSS)) {
            state.lowestTrainLoss = number(checkpoint, LOWEST_TRAIN_LOSS, Double::valueOf);
        }
        state.bestLoss = number(checkpoint, "best_loss", Double::valueOf);
        state.bestStep = number(checkpoint, "best_step", Long::valueOf);
        state.staleEvaluations = number(checkpoint, "stale_evaluations", Integer::valueOf);
        state.curveLength = number(checkpoint, "curve_length", Long::valueOf);
        state.curveChecksum = number(checkpoint, "curve_crc32c", Long::valueOf);
        state.seconds = number(checkpoint, "seconds", Double::valueOf);
        for (String name : checkpoint.state().keySet()) {
            if (name.startsWith(HASH)) {
                long at = Long.parseLong(name.substring(HASH.length()));
                state.hashes.put(at, number(checkpoint, name, text -> StepHash.parse(at, text)));
            }
        }
        return state;
    }

    private static <T> T number(Checkpoint checkpoint, String name, Function<String, T> parse) {
        String text = checkpoint.state().get(name);
        try {
            if (text != null) {
                return parse.apply(text);
            }
        } catch (NumberFormatException e) {
            // A malformed number is rejected like a missing one.
        }
        throw new IllegalArgumentException("checkpoint of step " + checkpoint.step() + ": expected the number " + name
                + ", got " + (text == null ? "none" : Refuse.quoted(text)));
    }

    /**
     * A fingerprint of a run after a step. Two runs with equal fingerprints are almost certainly bit-identical so far.
     *
     * @param step the number of steps taken: a power of two, so that even a long run has few hashes
     * @param loss the loss of this step
     * @param weights the first 16 hexadecimal digits of the SHA-256 of the parameters after the step (big-endian
     *     binary32)
     */
    record StepHash(long step, double loss, String weights) {

        private static final int DIGITS = 16;
        private static final int CHUNK = 1 << 14;

        static boolean isDue(long step) {
            return Long.bitCount(step) == 1;
        }

        static StepHash of(long step, double loss, float[] parameters) {
            MessageDigest digest = Sha256.digest();
            ByteBuffer buffer = ByteBuffer.allocate(CHUNK * Float.BYTES);
            for (int from = 0; from < parameters.length; from += CHUNK) {
                int count = Math.min(CHUNK, parameters.length - from);
                buffer.clear().asFloatBuffer().put(parameters, from, count);
                digest.update(buffer.limit(count * Float.BYTES));
            }
            return new StepHash(step, loss, Sha256.hex(digest, DIGITS));
        }

        /** Loss and hash as text for a checkpoint. */
        String text() {
            return loss + " " + weights;
        }

        /** @throws NumberFormatException if the text is not a result of {@link #text} */
        static StepHash parse(long step, String text) {
            int blank = text.indexOf(' ');
            return new StepHash(
                    step, Double.parseDouble(text.substring(0, Math.max(0, blank))), text.substring(blank + 1));
        }
    }
}
