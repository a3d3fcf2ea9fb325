package org.lemmata.dataset.text;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.dataset.text.TokenCorpus.Split;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.file.Sha256;

/**
 * Encodes text files as token files, and finally writes the manifest; a directory without a manifest is incomplete.
 *
 * <p>Files are plain text ({@code .txt}, {@code .raw}) or JSONL; each document ends with {@link TextTokens#endOfText}.
 * If any file name contains the word train, like {@code wiki.train.raw}, the names determine the splits, and files with
 * the names of no or several splits are rejected. Otherwise, of every ten units in the order of the paths, the ninth
 * goes to validation and the tenth to test. A unit is a line of JSONL or a text file. If there are fewer than ten text
 * files, their pieces of about 2^16 characters are units.
 *
 * @param files the text files, in their order
 * @param directory the directory for the token files
 */
public record TokenCorpusWriter(List<Path> files, Path directory, TextTokens kind) {

    /** The number of tokens per block; blocks of held-out splits are searched for in the training split. */
    static final int BLOCK = 32;

    private static final int TENTH = 10;

    /** The base of the rolling hash: an odd number without a pattern in its bits. */
    private static final long BASE = 0x9E3779B97F4A7C15L;

    public TokenCorpusWriter {
        files = List.copyOf(files);
    }

    /**
     * The text files at a path: the file itself, or all .txt, .raw and .jsonl files below a directory, in the order of
     * their paths.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static List<Path> textFiles(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            Refuse.when(!Files.exists(place), place.toString(), "a file or a directory", "none");
            return List.of(place);
        }
        try (Stream<Path> below = Files.walk(place)) {
            List<Path> found = below.filter(Files::isRegularFile)
                    .filter(file -> file.toString().matches(".*[.](txt|raw|jsonl)"))
                    .sorted()
                    .toList();
            Refuse.when(found.isEmpty(), place.toString(), "files with the suffix .txt, .raw or .jsonl", "none");
            return found;
        }
    }

    /**
     * Writes the token files and the manifest.
     *
     * @return the manifest
     * @throws IOException if a file cannot be read, or is not UTF-8 or JSONL; the message names file and place
     * @throws IllegalArgumentException if no text is left for training, or a file name has no or several names of
     *     splits
     */
    public Map<String, Object> write() throws IOException {
        boolean named = files.stream().anyMatch(file -> isNamed(file, Split.TRAIN));
        if (named) {
            for (Path file : files) {
                long splits = Stream.of(Split.values())
                        .filter(split -> isNamed(file, split))
                        .count();
                Refuse.when(
                        splits != 1,
                        file.toString(),
                        "a name with one of train, validation and test, since a file has train",
                        splits == 0 ? "none of them" : "several of them");
            }
        }
        Map<String, Object> splits = new LinkedHashMap<>();
        for (Split split : Split.values()) {
            var tokens = new Tokens(split, named);
            Path file = directory.resolve(split.file());
            AtomicFile.writeBytes(file, tokens::writeTo);
            if (tokens.count == tokens.documents) {
                Files.delete(file);
                Refuse.when(split == Split.TRAIN, files.getFirst().toString(), "some text for training", "none");
                continue;
            }
            splits.put(split.label(), tokens.described());
        }
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("vocabulary", kind.label());
        manifest.put("files", files.size());
        manifest.put("dealt", named ? "by the names of files" : "of each ten units the ninth and tenth held out");
        manifest.put("splits", splits);
        AtomicFile.write(directory.resolve(TokenCorpus.MANIFEST), Json.indented(manifest) + "\n");
        return manifest;
    }

    private static boolean isNamed(Path file, Split split) {
        String words = switch (split) {
            case TRAIN -> "train";
            case VALIDATION -> "val|valid|validation|dev";
            case TEST -> "test";
        };
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.matches("(.*[^a-z])?(" + words + ")([^a-z].*)?");
    }

    private final class Tokens {

        private final Split split;
        private final boolean named;

        private final boolean whole;

        private final MessageDigest digest = Sha256.digest();
        private long units;
        private long count;
        private long documents;

        Tokens(Split split, boolean named) {
            this.split = split;
            this.named = named;
            whole = !named && files.stream().filter(file -> !isLines(file)).count() >= TENTH;
        }

        private static boolean isLines(Path file) {
            return file.toString().endsWith(TextReader.LINES);
        }

        void writeTo(FileChannel channel) throws IOException {
            for (Path file : files) {
                boolean oneUnit = named || (whole && !isLines(file));
                boolean wanted = named ? isNamed(file, split) : oneUnit && isNext();
                if (oneUnit && !wanted) {
                    continue;
                }
                TextReader.read(file, () -> oneUnit || isNext(), (text, ends) -> add(channel, text, ends));
            }
        }

        /** Whether the next unit belongs to the split. Counts the unit. */
        private boolean isNext() {
            long place = units % TENTH;
            units++;
            return switch (split) {
                case TRAIN -> place < TENTH - 2;
                case VALIDATION -> place == TENTH - 2;
                case TEST -> place == TENTH - 1;
            };
        }

        private void add(FileChannel channel, String text, boolean ends) throws IOException {
            int[] ids = kind.encode(text);
            ByteBuffer bytes =
                    ByteBuffer.allocate((ids.length + 1) * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int id : ids) {
                bytes.putShort((short) id);
            }
            if (ends) {
                bytes.putShort((short) kind.endOfText());
                documents++;
            }
            bytes.flip();
            count += bytes.remaining() / Short.BYTES;
            digest.update(bytes.duplicate());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        /**
         * The manifest entry of the split; for a held-out split, also the number of its blocks that occur in the
         * training split.
         */
        Map<String, Object> described() throws IOException {
            Map<String, Object> described = new LinkedHashMap<>();
            described.put("file", split.file());
            described.put("tokens", count);
            described.put("documents", documents);
            described.put("sha256", Sha256.hex(digest, 64));
            if (split != Split.TRAIN) {
                TokenFile heldOut = TokenFile.open(directory.resolve(split.file()), kind);
                TokenFile train = TokenFile.open(directory.resolve(Split.TRAIN.file()), kind);
                described.put("blocksOf" + BLOCK, heldOut.size() / BLOCK);
                described.put("blocksInTraining", blocksInTraining(heldOut, train));
            }
            return described;
        }
    }

    /**
     * The number of blocks of {@link #BLOCK} tokens of a held-out split that occur anywhere in the training split.
     * Blocks are compared by a 64-bit rolling hash, sum_i (t_i + 1) B^(31 - i) mod 2^64.
     */
    static long blocksInTraining(TokenFile heldOut, TokenFile train) {
        long blocks = heldOut.size() / BLOCK;
        var hashes = new long[Math.toIntExact(blocks)];
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < BLOCK; i++) {
                hashes[block] = hashes[block] * BASE + heldOut.token((long) block * BLOCK + i) + 1;
            }
        }
        var wanted = new LongOpenHashSet(hashes);
        var found = new LongOpenHashSet();
        long last = 1;
        for (int i = 0; i < BLOCK; i++) {
            last *= BASE;
        }
        long hash = 0;
        for (long end = 0; end < train.size(); end++) {
            hash = hash * BASE + train.token(end) + 1;
            hash -= end < BLOCK ? 0 : last * (train.token(end - BLOCK) + 1);
            if (end >= BLOCK - 1 && wanted.contains(hash)) {
                found.add(hash);
            }
        }
        return LongStream.of(hashes).filter(found::contains).count();
    }
}
