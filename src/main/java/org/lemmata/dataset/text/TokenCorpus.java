package org.lemmata.dataset.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Contents;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;

/** A directory of token files with a manifest, as {@code lemmata tokenize} writes it. */
public final class TokenCorpus {

    static final String MANIFEST = "manifest.json";

    private static final String EXPECTED = "the manifest of token files (lemmata tokenize)";

    /** A split, with its name in manifests and the file that nanoGPT reads it from. */
    public enum Split {
        TRAIN("train", "train.bin"),
        VALIDATION("validation", "val.bin"),
        TEST("test", "test.bin");

        private final String label;
        private final String file;

        Split(String label, String file) {
            this.label = label;
            this.file = file;
        }

        String label() {
            return label;
        }

        String file() {
            return file;
        }
    }

    /** What is read of the manifest. */
    private record Manifest(String vocabulary, Map<String, Part> splits) {}

    private record Part(long tokens) {}

    private final Map<Split, TokenFile> files;

    private TokenCorpus(Map<Split, TokenFile> files) {
        this.files = files;
    }

    /**
     * Reads the manifest and maps the files.
     *
     * @throws IOException if one is missing, malformed or not as long as the manifest says, or its tokens are of
     *     another vocabulary than GPT-2's; the message names the file and what was expected
     */
    public static TokenCorpus open(Path directory) throws IOException {
        Path file = directory.resolve(MANIFEST);
        if (!Files.isRegularFile(file)) {
            throw new MalformedFileException(directory, "", "expected " + MANIFEST + ", " + EXPECTED + ", got none");
        }
        JsonValue read = JsonValue.parse(file, "", Contents.text(file), EXPECTED);
        Manifest manifest = read.as(Manifest.class);
        if (!manifest.vocabulary.equals(BytePairs.NAME)) {
            throw new MalformedFileException(
                    file,
                    "vocabulary",
                    "expected " + BytePairs.NAME + ", the only one that is read, got "
                            + Refuse.quoted(manifest.vocabulary));
        }
        var files = new EnumMap<Split, TokenFile>(Split.class);
        for (Split split : Split.values()) {
            Part part = manifest.splits.get(split.label);
            if (part == null) {
                continue;
            }
            Path tokens = directory.resolve(split.file);
            TokenFile mapped = TokenFile.open(tokens);
            if (mapped.size() != part.tokens) {
                throw new MalformedFileException(
                        tokens, "", "expected " + part.tokens + " tokens, as the manifest says, got " + mapped.size());
            }
            files.put(split, mapped);
        }
        if (!files.containsKey(Split.TRAIN)) {
            throw new MalformedFileException(file, "splits", "expected " + Split.TRAIN.label + ", got none");
        }
        return new TokenCorpus(files);
    }

    /** The tokens of a split; empty if it has none. */
    public Optional<TokenFile> split(Split split) {
        return Optional.ofNullable(files.get(split));
    }
}
