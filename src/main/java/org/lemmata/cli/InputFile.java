package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lemmata.argument.Refuse;

/** What {@code --input} names. */
final class InputFile {

    private InputFile() {}

    /**
     * Its text. Bytes that are not UTF-8 become characters that no input has, so that their line is the one in error.
     *
     * @param name of a file; - is standard input
     * @throws IllegalArgumentException if it is a directory
     */
    static BufferedReader open(String name) throws IOException {
        Path file = Path.of(name);
        Refuse.when(Files.isDirectory(file), "--input", "a file", "the directory " + name);
        InputStream stream = name.equals("-") ? System.in : Files.newInputStream(file);
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }
}
