package org.lemmata.dataset.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;

/**
 * Reads a text file in pieces, no more of it at a time than a piece and a buffer: plain text in pieces of about 2^16
 * characters, JSONL in lines.
 *
 * <p>A piece of plain text ends after a letter or digit that a blank or line break follows. GPT-2's tokens never cross
 * such a place, so that the tokens of the pieces are those of the whole text.
 */
final class TextReader {

    /** The end of files of JSON objects, one a line, each with a document in {@code text}. */
    static final String LINES = ".jsonl";

    private static final int PIECE = 1 << 16;

    /** Takes what was read. */
    interface Sink {

        /** Whether the next piece is wanted; it is counted either way. */
        boolean wantsNext();

        /**
         * A piece.
         *
         * @param ends whether it is the last one of a document
         */
        void take(String text, boolean ends) throws IOException;
    }

    private final Path file;
    private final Sink sink;
    private final boolean lines;
    private final StringBuilder pending = new StringBuilder();
    private long line;

    private TextReader(Path file, Sink sink) {
        this.file = file;
        this.sink = sink;
        lines = file.toString().endsWith(LINES);
    }

    /**
     * Reads a file.
     *
     * @throws MalformedFileException if a byte is no UTF-8, or a line no object with a text; the message names the
     *     place
     */
    static void read(Path file, Sink sink) throws IOException {
        new TextReader(file, sink).read();
    }

    private void read() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
            ByteBuffer in = ByteBuffer.allocate(PIECE);
            CharBuffer out = CharBuffer.allocate(PIECE);
            long before = 0;
            boolean end = false;
            while (!end) {
                end = channel.read(in) < 0;
                in.flip();
                CoderResult result = decoder.decode(in, out, end);
                if (result.isError()) {
                    throw new MalformedFileException(
                            file,
                            "byte " + (before + in.position()),
                            "expected UTF-8, got the byte 0x"
                                    + Integer.toHexString(Byte.toUnsignedInt(in.get(in.position()))));
                }
                before += in.position();
                in.compact();
                int scanned = pending.length();
                pending.append(out.flip());
                out.clear();
                if (lines) {
                    cutLines(scanned);
                } else {
                    cutText(scanned);
                }
            }
        }
        if (!lines) {
            take(pending.toString(), true);
        } else if (!pending.isEmpty()) {
            takeLine(pending.toString());
        }
    }

    private void cutLines(int scanned) throws IOException {
        int from = 0;
        for (int end = pending.indexOf("\n", scanned); end >= 0; end = pending.indexOf("\n", from)) {
            takeLine(pending.substring(from, end));
            from = end + 1;
        }
        pending.delete(0, from);
    }

    private void takeLine(String text) throws IOException {
        line++;
        if (!text.isBlank() && sink.wantsNext()) {
            String place = "line " + line;
            String document = JsonValue.parse(file, place, text, "an object with text")
                    .field("text")
                    .text();
            try {
                sink.take(document, true);
            } catch (IllegalArgumentException e) {
                throw new MalformedFileException(file, place, String.valueOf(e.getMessage()));
            }
        }
    }

    private void cutText(int scanned) throws IOException {
        int from = Math.max(PIECE, scanned);
        while (pending.length() >= PIECE) {
            int cut = from;
            while (cut < pending.length() && !isCut(cut)) {
                cut++;
            }
            if (cut == pending.length()) {
                return;
            }
            take(pending.substring(0, cut), false);
            pending.delete(0, cut);
            from = PIECE;
        }
    }

    private boolean isCut(int place) {
        char next = pending.charAt(place);
        return (next == ' ' || next == '\n') && Character.isLetterOrDigit(pending.charAt(place - 1));
    }

    private void take(String text, boolean ends) throws IOException {
        if (sink.wantsNext()) {
            sink.take(text, ends);
        }
    }
}
