package org.lemmata.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Standard output that remembers what went wrong: a full disk must not end in success. */
public final class StandardOutput extends OutputStream {

    private final FileOutputStream file = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException failure;

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            file.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Why output was lost, or null; a reader that has read enough, as {@code head} does, is no loss. */
    @Nullable
    public String loss() {
        String message = failure == null ? null : String.valueOf(failure.getMessage());
        return message == null || message.toLowerCase(Locale.ROOT).contains("broken pipe") ? null : message;
    }
}
