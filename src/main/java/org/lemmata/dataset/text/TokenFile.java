package org.lemmata.dataset.text;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.file.MalformedFileException;

/**
 * A file of ids: unsigned 16-bit integers in little-endian order, without a header. It is mapped into memory, so it may
 * be larger than the heap.
 */
public final class TokenFile {

    private static final ValueLayout.OfShort TOKEN =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The number of bytes digested at a time; a buffer has fewer than 2^31 bytes. */
    private static final long AT_ONCE = 1L << 26;

    private final Path file;
    private final MemorySegment tokens;
    private final TextTokens kind;

    private final int[] numbers;

    private final long size;

    private TokenFile(Path file, MemorySegment tokens, TextTokens kind, int... ids) {
        this.file = file;
        this.tokens = tokens;
        this.kind = kind;
        numbers = new int[kind.size()];
        for (int number = 0; number < ids.length; number++) {
            numbers[ids[number]] = number;
        }
        size = tokens.byteSize() / Short.BYTES;
    }

    /**
     * Maps a file.
     *
     * @throws MalformedFileException if the file ends within a token
     */
    public static TokenFile open(Path file, TextTokens kind) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
            if (mapped.byteSize() % Short.BYTES != 0) {
                throw new MalformedFileException(
                        file,
                        "",
                        "expected tokens of 16 bits, got " + mapped.byteSize() + " bytes: the file is cut short");
            }
            return new TokenFile(
                    file, mapped, kind, IntStream.range(0, kind.size()).toArray());
        }
    }

    /** This file with renumbered tokens: {@code ids[i]} becomes i. Every id that occurs must be in {@code ids}. */
    TokenFile numbered(int... ids) {
        return new TokenFile(file, tokens, kind, ids);
    }

    void digest(MessageDigest digest) {
        for (long from = 0; from < tokens.byteSize(); from += AT_ONCE) {
            digest.update(tokens.asSlice(from, Math.min(AT_ONCE, tokens.byteSize() - from))
                    .asByteBuffer());
        }
    }

    public long size() {
        return size;
    }

    /**
     * The number of the token at {@code place}. Places are counted from 0.
     *
     * @throws IllegalArgumentException if the id is not one of the file's kind; the message names the file and the
     *     place
     */
    public int token(long place) {
        int id = Short.toUnsignedInt(tokens.get(TOKEN, place * Short.BYTES));
        if (id >= kind.size()) {
            throw new IllegalArgumentException(
                    file + ": token " + place + ": expected an id from 0 to " + (kind.size() - 1) + ", got " + id);
        }
        return numbers[id];
    }

    /**
     * The tokens from a place on.
     *
     * @throws IllegalArgumentException if fewer than {@code count} tokens follow {@code from}, or as in {@link #token}
     */
    public int[] tokens(long from, int count) {
        Refuse.when(
                from < 0 || count < 0 || count > size - from,
                file.toString(),
                "tokens within the file's " + size,
                count + " from " + from + " on");
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = token(from + i);
        }
        return ids;
    }
}
