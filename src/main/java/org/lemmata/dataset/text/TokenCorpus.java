package org.lemmata.dataset.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Contents;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;
import org.lemmata.file.Sha256;
import org.lemmata.token.Vocabulary;

/** A directory of token files: with a manifest if {@code lemmata tokenize} wrote them, without one if nanoGPT did. */
public final class TokenCorpus {

    static final String MANIFEST = "manifest.json";

    private static final String EXPECTED = "the manifest of token files (lemmata tokenize)";

    /** A split of the corpus, with its name in manifests and its file; train.bin and val.bin are nanoGPT's names. */
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

    private record Manifest(String vocabulary, Map<String, Part> splits) {}

    private record Part(long tokens) {}

    private final Path directory;
    private final TextTokens kind;
    private final Vocabulary vocabulary;

    /** The expected SHA-256 of the token files; empty if it is not checked. */
    private final String sha256;

    private @Nullable Map<Split, TokenFile> files;

    private TokenCorpus(
            Path directory,
            TextTokens kind,
            Vocabulary vocabulary,
            String sha256,
            @Nullable Map<Split, TokenFile> files) {
        this.directory = directory;
        this.kind = kind;
        this.vocabulary = vocabulary;
        this.sha256 = sha256;
        this.files = files;
    }

    /**
     * Reads the manifest and maps the files. Without a manifest, the tokens are GPT-2's.
     *
     * @throws IOException if a file is missing or malformed, if its length differs from the manifest, or if the
     *     manifest's vocabulary is not one of {@link TextTokens}; the message names the file and the expected content
     */
    public static TokenCorpus open(Path directory) throws IOException {
        TextTokens kind = kind(directory, manifest(directory, TextTokens.GPT2));
        TokenCorpus corpus = expected(directory, kind, Optional.empty());
        corpus.opened();
        return corpus;
    }

    /**
     * A corpus whose files are opened at first use, so that a configuration can be read without them.
     *
     * @param kind the kind that the manifest must name; if there is no manifest, the kind of the tokens
     * @param sha256 the SHA-256 of the bytes of all token files in the order of {@link Split}, or empty; checked at
     *     first use
     */
    public static TokenCorpus expected(Path directory, TextTokens kind, Optional<String> sha256) {
        return new TokenCorpus(directory, kind, kind.vocabulary(), sha256.orElse(""), null);
    }

    /**
     * This corpus with a smaller vocabulary: the tokens that occur in its files and the end of a text, numbered in the
     * order of their ids. Reads all files.
     *
     * @throws IOException as {@link #open} does
     */
    public TokenCorpus ofOccurring() throws IOException {
        Map<Split, TokenFile> opened = opened();
        var occurring = new BitSet();
        occurring.set(kind.endOfText());
        for (TokenFile tokens : opened.values()) {
            for (long place = 0; place < tokens.size(); place++) {
                occurring.set(tokens.token(place));
            }
        }
        int[] ids = occurring.stream().toArray();
        var numbered = new EnumMap<>(opened);
        numbered.replaceAll((split, tokens) -> tokens.numbered(ids));
        var symbols = new Vocabulary(
                IntStream.of(ids).mapToObj(kind.vocabulary()::symbol).toList());
        return new TokenCorpus(directory, kind, symbols, sha256, numbered);
    }

    private static Manifest manifest(Path directory, TextTokens unlessSaid) throws IOException {
        Path file = directory.resolve(MANIFEST);
        if (!Files.isRegularFile(file)) {
            if (Files.isRegularFile(directory.resolve(Split.VALIDATION.file))
                    && !Files.exists(directory.resolve("meta.pkl"))) {
                return new Manifest(
                        unlessSaid.label(),
                        Map.of(
                                Split.TRAIN.label,
                                part(directory.resolve(Split.TRAIN.file)),
                                Split.VALIDATION.label,
                                part(directory.resolve(Split.VALIDATION.file))));
            }
            throw new MalformedFileException(
                    directory,
                    "",
                    "expected " + MANIFEST + ", " + EXPECTED + ", or train.bin and val.bin without meta.pkl (nanoGPT),"
                            + " got neither");
        }
        return JsonValue.parse(file, "", Contents.text(file), EXPECTED).as(Manifest.class);
    }

    private static Part part(Path tokens) throws IOException {
        return new Part(Files.exists(tokens) ? Files.size(tokens) / Short.BYTES : 0);
    }

    private static TextTokens kind(Path directory, Manifest manifest) throws IOException {
        return TextTokens.of(manifest.vocabulary)
                .orElseThrow(() -> new MalformedFileException(
                        directory.resolve(MANIFEST),
                        "vocabulary",
                        "expected gpt2 or bytes, got " + Refuse.quoted(manifest.vocabulary)));
    }

    private Map<Split, TokenFile> checked() throws IOException {
        Path file = directory.resolve(MANIFEST);
        Manifest manifest = manifest(directory, kind);
        if (kind(directory, manifest) != kind) {
            throw new MalformedFileException(
                    file,
                    "vocabulary",
                    "expected " + kind.label() + ", as task.vocabulary says, got " + manifest.vocabulary);
        }
        var mapped = new EnumMap<Split, TokenFile>(Split.class);
        for (Split split : Split.values()) {
            Part part = manifest.splits.get(split.label);
            if (part != null) {
                Path tokens = directory.resolve(split.file);
                TokenFile opened = TokenFile.open(tokens, kind);
                MalformedFileException.when(
                        opened.size() != part.tokens,
                        tokens,
                        "",
                        part.tokens + " tokens, as the manifest says",
                        opened.size());
                mapped.put(split, opened);
            }
        }
        MalformedFileException.when(!mapped.containsKey(Split.TRAIN), file, "splits", Split.TRAIN.label, "none");
        if (!sha256.isEmpty()) {
            MessageDigest digest = Sha256.digest();
            mapped.values().forEach(tokens -> tokens.digest(digest));
            String found = Sha256.hex(digest, sha256.length());
            MalformedFileException.when(
                    !found.equals(sha256), directory, "", "tokens with the SHA-256 " + sha256, found);
        }
        return mapped;
    }

    public TextTokens kind() {
        return kind;
    }

    /** The symbols of the tokens: all symbols of {@link #kind}, or only symbols that occur. */
    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /** Whether the files have been read. */
    public synchronized boolean isOpen() {
        return files != null;
    }

    /**
     * The tokens of a split; empty if the corpus lacks the split.
     *
     * @throws UncheckedIOException if this call opens the corpus and fails; the cause names the file and the expected
     *     content
     */
    public Optional<TokenFile> split(Split split) {
        try {
            return Optional.ofNullable(opened().get(split));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized Map<Split, TokenFile> opened() throws IOException {
        if (files == null) {
            files = checked();
        }
        return files;
    }
}
