package org.lemmata.dataset.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import org.lemmata.file.Contents;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;

/**
 * Reads a text file in pieces, with only one piece and one buffer in memory: plain text in pieces of about 2^16
 * characters, JSONL line by line.
 *
 * <p>A piece of plain text ends between a character that is not whitespace and a blank, tab or line break. No token of
 * GPT-2 extends over such a place, so encoding the pieces gives the same tokens as encoding the whole text. A piece or
 * a line has at most 2^24 characters.
 */
final class TextReader {

    /** The extension of files with one JSON object per line; the object's {@code text} is a document. */
    static final String LINES = ".jsonl";

    private static final int PIECE = 1 << 16;

    private static final int LONGEST = 1 << 24;

    /** Receives a piece; {@code ends} is true for the last piece of a document. */
    @FunctionalInterface
    interface Sink {
        void take(String text, boolean ends) throws IOException;
    }

    private final Path file;
    private final BooleanSupplier wantsNext;
    private final Sink sink;
    private final boolean lines;
    private final StringBuilder pending = new StringBuilder();
    private long line;

    private TextReader(Path file, BooleanSupplier wantsNext, Sink sink) {
        this.file = file;
        this.wantsNext = wantsNext;
        this.sink = sink;
        lines = file.toString().endsWith(LINES);
    }

    /**
     * Reads a file.
     *
     * @param wantsNext whether to pass the next piece to {@code sink}; called once for each piece
     * @throws MalformedFileException if the file is not UTF-8, a line is not an object with a text, or a line or a
     *     piece is too long; the message names the place
     * @throws IOException if the file cannot be read; the message names it
     */
    static void read(Path file, BooleanSupplier wantsNext, Sink sink) throws IOException {
        new TextReader(file, wantsNext, sink).read();
    }

    private void read() throws IOException {
        try (FileChannel channel = opened()) {
            CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
            ByteBuffer in = ByteBuffer.allocate(PIECE);
            CharBuffer out = CharBuffer.allocate(PIECE);
            long before = 0;
            boolean end = false;
            while (!end) {
                end = readMore(channel, in) < 0;
                in.flip();
                CoderResult result = decoder.decode(in, out, end);
                if (result.isError()) {
                    throw new MalformedFileException(
                            file,
                            "byte " + (before + in.position()),
                            "expected UTF-8, got the byte 0x"
                                    + Integer.toHexString(Byte.toUnsignedInt(in.get(in.position()))));
                }
                int scanned = pending.length();
                String text = out.flip().toString();
                pending.append(before == 0 ? Contents.withoutMark(text) : text);
                out.clear();
                before += in.position();
                in.compact();
                if (lines) {
                    cutLines(scanned);
                } else {
                    cutText(scanned);
                }
                if (pending.length() > LONGEST) {
                    throw new MalformedFileException(
                            file,
                            "byte " + before,
                            lines
                                    ? "expected lines of at most 2^24 characters, got a longer one"
                                    : "expected whitespace at least every 2^24 characters, got none");
                }
            }
        }
        if (!lines) {
            take(pending.toString(), true);
        } else if (!pending.isEmpty()) {
            takeLine(pending.toString());
        }
    }

    /**
     * Opens the file. Exceptions name the file, because otherwise they would seem to concern the output file of the
     * sink.
     */
    private FileChannel opened() throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.READ);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private int readMore(FileChannel channel, ByteBuffer in) throws IOException {
        try {
            return channel.read(in);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private MalformedFileException unreadable(IOException e) {
        String reason = e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
        return new MalformedFileException(file, "", "cannot be read: " + reason);
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
        if (!text.isBlank() && wantsNext.getAsBoolean()) {
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
        char last = pending.charAt(place - 1);
        boolean isText = !Character.isWhitespace(last) && !Character.isSpaceChar(last) && last != '\u0085';
        return isText && " \t\r\n".indexOf(pending.charAt(place)) >= 0;
    }

    private void take(String text, boolean ends) throws IOException {
        if (wantsNext.getAsBoolean()) {
            sink.take(text, ends);
        }
    }
}
