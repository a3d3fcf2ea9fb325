package org.lemmata.train;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.lemmata.file.Sha256;

/**
 * A fingerprint of a run after a step. Two runs with equal fingerprints are almost certainly bit-identical so far.
 *
 * @param step the number of steps taken: a power of two, so that even a long run has few hashes
 * @param loss the loss of this step
 * @param weights the first 16 hexadecimal digits of the SHA-256 of the parameters after the step (big-endian binary32)
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
        return new StepHash(step, Double.parseDouble(text.substring(0, Math.max(0, blank))), text.substring(blank + 1));
    }
}
