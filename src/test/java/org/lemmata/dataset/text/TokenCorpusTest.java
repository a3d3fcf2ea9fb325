package org.lemmata.dataset.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.dataset.text.TokenCorpus.Split;
import org.lemmata.file.Sha256;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/** Text is converted to token files, which are read back; errors in either are reported in one line. */
class TokenCorpusTest {

    @TempDir
    private Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(
                Files.createDirectories(directory.resolve("in")).resolve(name), text);
    }

    private Path out() {
        return directory.resolve("out");
    }

    private Map<String, Object> write(Path place) throws IOException {
        return new TokenCorpusWriter(TokenCorpusWriter.textFiles(place), out(), TextTokens.GPT2).write();
    }

    private int[] ids(Split split) throws IOException {
        TokenFile tokens = TokenCorpus.open(out()).split(split).orElseThrow();
        return tokens.tokens(0, (int) tokens.size());
    }

    private static int[] ended(String... documents) {
        return List.of(documents).stream()
                .flatMapToInt(text ->
                        IntStream.concat(IntStream.of(BytePairs.encode(text)), IntStream.of(BytePairs.END_OF_TEXT)))
                .toArray();
    }

    private static byte[] littleEndian(int... ids) {
        var bytes = new ByteArrayOutputStream();
        for (int id : ids) {
            bytes.write(id);
            bytes.write(id >> 8);
        }
        return bytes.toByteArray();
    }

    @Test
    void namesTellTheSplits() throws IOException {
        file("wiki.train.raw", " = Title = \n\n text\n");
        file("wiki.valid.raw", "held out");
        file("wiki.test.raw", "tested");
        file("README.md", "no text");
        Map<String, Object> manifest = write(directory.resolve("in"));
        assertThat(ids(Split.TRAIN)).isEqualTo(ended(" = Title = \n\n text\n"));
        assertThat(ids(Split.VALIDATION)).isEqualTo(ended("held out"));
        assertThat(ids(Split.TEST)).isEqualTo(ended("tested"));
        byte[] expected = littleEndian(ended("held out"));
        assertThat(out().resolve("val.bin")).hasBinaryContent(expected);
        var digest = Sha256.digest();
        digest.update(expected);
        assertThat(String.valueOf(manifest.get("splits"))).contains("sha256=" + Sha256.hex(digest, 64));
    }

    @Test
    void aNameThatTellsNoSplitBesideOthersIsRejected() throws IOException {
        file("train.txt", "a");
        Path other = file("more.txt", "b");
        assertThatThrownBy(() -> write(directory.resolve("in")))
                .hasMessage(other + ": expected a name with one of train, validation and test, since a file has train,"
                        + " got none of them");
        assertThat(out()).doesNotExist();
    }

    @Test
    void aNameThatTellsSeveralSplitsIsRejected() throws IOException {
        Path file = file("train-test.txt", "a");
        assertThatThrownBy(() -> write(file))
                .hasMessage(file + ": expected a name with one of train, validation and test, since a file has train,"
                        + " got several of them");
        assertThat(out()).doesNotExist();
    }

    @Test
    void tenFilesAreDealtWhole() throws IOException {
        for (int i = 0; i < 20; i++) {
            file((char) ('a' + i) + ".txt", "document " + i);
        }
        write(directory.resolve("in"));
        assertThat(ids(Split.VALIDATION)).isEqualTo(ended("document 8", "document 18"));
        assertThat(ids(Split.TEST)).isEqualTo(ended("document 9", "document 19"));
        assertThat(ids(Split.TRAIN))
                .isEqualTo(ended(IntStream.range(0, 20)
                        .filter(i -> i % 10 < 8)
                        .mapToObj(i -> "document " + i)
                        .toArray(String[]::new)));
    }

    @Test
    void linesOfJsonAreDealtByThemselves() throws IOException {
        Path lines = file(
                "a.jsonl",
                IntStream.range(0, 11)
                        .mapToObj(i -> "{\"id\": 1, \"text\": \"caf\\u00e9\\n" + i + "\"}\n")
                        .collect(Collectors.joining("\n")));
        write(lines);
        assertThat(ids(Split.VALIDATION)).isEqualTo(ended("café\n8"));
        assertThat(ids(Split.TEST)).isEqualTo(ended("café\n9"));
        assertThat(ids(Split.TRAIN)).endsWith(ended("café\n7", "café\n10"));
    }

    /** Programs on Windows begin a file with this mark. */
    @Test
    void aByteOrderMarkIsNoText() throws IOException {
        file("train.txt", "\uFEFFa \uFEFFb");
        file("test.jsonl", "\uFEFF{\"text\": \"c\"}\n");
        write(directory.resolve("in"));
        assertThat(ids(Split.TRAIN)).isEqualTo(ended("a \uFEFFb"));
        assertThat(ids(Split.TEST)).isEqualTo(ended("c"));
    }

    /** Long enough for several pieces, with characters that cross the ends of buffers. */
    @Test
    void aTextInPiecesHasTheTokensOfTheWhole() throws IOException {
        var random = new Random(7);
        // After 2^16 characters there are line breaks, whose tokens span them, so the first piece must not end there.
        var text = new StringBuilder("word ".repeat(13_106) + "-" + "\n".repeat(20));
        while (text.length() < 300_000) {
            text.append(TextTokensTest.text(random, random.nextInt(60)))
                    .append(random.nextInt(3) == 0 ? "\n\n  word" : "   word");
        }
        file("train.txt", text.toString());
        write(directory.resolve("in"));
        assertThat(ids(Split.TRAIN)).isEqualTo(ended(text.toString()));
        assertThat(TokenCorpus.open(out()).split(Split.TEST)).isEmpty();
    }

    /** Lines without a letter before a blank: a quarter of a million characters in pieces of 2^16. */
    @ParameterizedTest
    @ValueSource(strings = {"言葉と文字。\n", "==--==;\t\t;\n", "\u00a0 \u0085\u3000!\n"})
    void textsWithoutLettersBeforeBlanksAreReadInPieces(String line) throws IOException {
        String text = line.repeat(250_000 / line.length());
        Path file = file("train.txt", text);
        var pieces = new ArrayList<String>();
        TextReader.read(file, () -> true, (piece, ends) -> pieces.add(piece));
        assertThat(pieces).hasSize(4).allMatch(piece -> piece.length() < (1 << 16) + 30);
        write(file);
        assertThat(ids(Split.TRAIN)).isEqualTo(ended(text));
    }

    @Test
    void textsThatCannotBeCutAreRejected() throws IOException {
        String text = "x".repeat((1 << 24) + 1);
        for (String name : List.of("train.txt", "a.jsonl")) {
            Path file = file(name, text);
            assertThatThrownBy(() -> write(file))
                    .hasMessageStartingWith(file + ": byte 16777217: expected ")
                    .hasMessageContaining("2^24 characters");
        }
    }

    @Test
    void anInputThatCannotBeReadIsNamed() {
        Path missing = directory.resolve("train.txt");
        assertThatThrownBy(() -> new TokenCorpusWriter(List.of(missing), out(), TextTokens.GPT2).write())
                .hasMessageStartingWith(missing + ": cannot be read: ");
        // A directory opens like a file, and cannot be read.
        assertThatThrownBy(() -> new TokenCorpusWriter(List.of(directory), out(), TextTokens.GPT2).write())
                .hasMessageStartingWith(directory + ": cannot be read: ");
    }

    @Test
    void oneFileIsDealtInPieces() throws IOException {
        String sentence = "All work and no play makes Jack a dull boy. ";
        Path file = file("book.txt", sentence.repeat(22_000));
        write(file);
        var all = new ArrayList<Integer>();
        for (Split split : Split.values()) {
            IntStream.of(ids(split)).forEach(all::add);
        }
        assertThat(all).hasSize(ended(sentence.repeat(22_000)).length);
        assertThat(ids(Split.VALIDATION).length).isBetween(13_000, 18_000);
    }

    @Test
    void blocksOfTheTrainingSplitAreFoundInTheOthers() throws IOException {
        int[] train = new Random(3).ints(500, 0, BytePairs.SIZE).toArray();
        int[] other = new Random(4).ints(100, 0, BytePairs.SIZE).toArray();
        System.arraycopy(train, 41, other, 32, TokenCorpusWriter.BLOCK);
        System.arraycopy(train, 500 - TokenCorpusWriter.BLOCK, other, 0, TokenCorpusWriter.BLOCK);
        Path a = Files.write(directory.resolve("a.bin"), littleEndian(train));
        Path b = Files.write(directory.resolve("b.bin"), littleEndian(other));
        assertThat(TokenCorpusWriter.blocksInTraining(
                        TokenFile.open(b, TextTokens.GPT2), TokenFile.open(a, TextTokens.GPT2)))
                .isEqualTo(2);
        other[63]++;
        Files.write(b, littleEndian(other));
        assertThat(TokenCorpusWriter.blocksInTraining(
                        TokenFile.open(b, TextTokens.GPT2), TokenFile.open(a, TextTokens.GPT2)))
                .isEqualTo(1);
    }

    @Test
    void windowsAreRunsOfTokensWithTheirSuccessors() throws IOException {
        write(file("train.txt", "one two three four five six seven eight nine ten"));
        int[] ids = ids(Split.TRAIN);
        assertThat(ids).hasSize(11);
        var task = new TextTask(TokenCorpus.open(out()), 4);
        assertThat(task.windows()).isEqualTo(3);
        assertThat(task.windows(3)).containsExactly(window(ids, 0, 4), window(ids, 4, 4), window(ids, 8, 2));
        assertThat(task.windows(1)).containsExactly(window(ids, 0, 4));
        var random = new Random(5);
        var starts = new boolean[7];
        for (int i = 0; i < 200; i++) {
            Example drawn = task.sample(random, 4);
            int start = IntStream.range(0, 7)
                    .filter(at -> window(ids, at, 4).equals(drawn))
                    .findFirst()
                    .orElseThrow();
            starts[start] = true;
        }
        assertThat(starts).containsOnly(true);
        assertThat(task.validation().windows()).isZero();
        assertThatThrownBy(() -> new TextTask(TokenCorpus.open(out()), 11))
                .hasMessage("task.length: expected fewer than the 11 tokens of the split, got 11");
    }

    private static Example window(int[] ids, int from, int length) {
        int[] whole = IntStream.range(from, from + length).map(i -> ids[i]).toArray();
        int[] next =
                IntStream.range(from + 1, from + 1 + length).map(i -> ids[i]).toArray();
        return new Example(whole, next, IntStream.range(0, length).toArray());
    }

    @Test
    void bytesThatAreNotUtf8AreNamed() throws IOException {
        Path file = file("train.txt", "");
        var bytes = new ByteArrayOutputStream();
        bytes.write("é".repeat(70_000).getBytes(StandardCharsets.UTF_8));
        bytes.write(new byte[] {'a', (byte) 0xE9, 'b'});
        Files.write(file, bytes.toByteArray());
        assertThatThrownBy(() -> write(file)).hasMessage(file + ": byte 140001: expected UTF-8, got the byte 0xe9");
        Files.write(file, new byte[] {'a', (byte) 0xC3});
        assertThatThrownBy(() -> write(file)).hasMessage(file + ": byte 1: expected UTF-8, got the byte 0xc3");
        assertThat(out().resolve("manifest.json")).doesNotExist();
    }

    @Test
    void linesWithoutTextAreNamed() throws IOException {
        Path file = file("a.jsonl", "{\"text\": \"a\"}\n\n{\"txt\": \"b\"}\n");
        assertThatThrownBy(() -> write(file))
                .hasMessage(file + ": line 3: text: expected a string, got nothing: the field is absent");
        Files.writeString(file, "{\"text\": \"\\ud83d\"}");
        assertThatThrownBy(() -> write(file))
                .hasMessage(file + ": line 1: text: expected text that UTF-8 can encode, got an unpaired surrogate");
    }

    @Test
    void placesWithoutTextAreRejected() throws IOException {
        Path empty = Files.createDirectories(directory.resolve("in"));
        assertThatThrownBy(() -> write(empty))
                .hasMessage(empty + ": expected files with the suffix .txt, .raw or .jsonl, got none");
        Path file = file("a.jsonl", "\n");
        assertThatThrownBy(() -> write(file)).hasMessage(file + ": expected some text for training, got none");
        Path ended = file("a.txt", "");
        assertThatThrownBy(() -> write(ended)).hasMessage(ended + ": expected some text for training, got none");
    }

    private void corpus(String vocabulary, int tokens, byte... bytes) throws IOException {
        Files.createDirectories(out());
        Files.writeString(
                out().resolve("manifest.json"),
                "{\"vocabulary\": " + vocabulary + ", \"splits\": {\"train\": {\"tokens\": " + tokens + "}}}");
        Files.write(out().resolve("train.bin"), bytes);
    }

    @Test
    void filesThatDoNotFitTheirManifestAreRejected() throws IOException {
        Path train = out().resolve("train.bin");
        Path manifest = out().resolve("manifest.json");
        corpus("\"gpt2\"", 2, littleEndian(7));
        assertThatThrownBy(() -> TokenCorpus.open(out()))
                .hasMessage(train + ": expected 2 tokens, as the manifest says, got 1");
        corpus("\"gpt2\"", -1, littleEndian(7));
        assertThatThrownBy(() -> TokenCorpus.open(out()))
                .hasMessage(train + ": expected -1 tokens, as the manifest says, got 1");
        corpus("\"gpt2\"", 2, (byte) 1, (byte) 2, (byte) 3);
        assertThatThrownBy(() -> TokenCorpus.open(out()))
                .hasMessage(train + ": expected tokens of 16 bits, got 3 bytes: the file is cut short");
        corpus("\"shakespeare_char\"", 1, littleEndian(7));
        assertThatThrownBy(() -> TokenCorpus.open(out()))
                .hasMessage(manifest + ": vocabulary: expected gpt2 or bytes, got 'shakespeare_char'");
        corpus("[\"a\", \"b\"]", 1, littleEndian(7));
        assertThatThrownBy(() -> TokenCorpus.open(out()))
                .hasMessage(manifest + ": vocabulary: expected a string, got an array of 2");
        assertThatThrownBy(() -> TokenCorpus.open(directory))
                .hasMessage(directory + ": expected manifest.json, the manifest of token files (lemmata tokenize), or"
                        + " train.bin and val.bin without meta.pkl (nanoGPT), got neither");
    }

    @Test
    void anIdOutsideTheVocabularyIsNamed() throws IOException {
        corpus("\"gpt2\"", 3, littleEndian(50_256, 50_257, 65_535));
        TokenFile train = TokenCorpus.open(out()).split(Split.TRAIN).orElseThrow();
        assertThat(train.token(0)).isEqualTo(50_256);
        String place = out().resolve("train.bin") + ": token ";
        assertThatThrownBy(() -> train.tokens(0, 2)).hasMessage(place + "1: expected an id from 0 to 50256, got 50257");
        assertThatThrownBy(() -> train.token(2)).hasMessage(place + "2: expected an id from 0 to 50256, got 65535");
        assertThatThrownBy(() -> train.tokens(2, 2)).hasMessageContaining("expected tokens within the file's 3");
    }

    @Test
    void bytesAreTokensToo() throws IOException {
        String text = "caf\u00e9 \ud83d\ude80\n";
        int[] ids = TextTokens.BYTES.encode(text);
        assertThat(ids).containsExactly(99, 97, 102, 195, 169, 32, 240, 159, 154, 128, 10);
        assertThat(TextTokens.BYTES.decode(
                        IntStream.concat(IntStream.of(ids), IntStream.of(256)).toArray()))
                .isEqualTo(text);
        assertThat(TextTokens.BYTES.vocabulary().symbol(32)).isEqualTo("\u0120");
        assertThat(TextTokens.of(TextTokens.BYTES.vocabulary())).contains(TextTokens.BYTES);
        assertThat(TextTokens.of(BytePairs.VOCABULARY)).contains(TextTokens.GPT2);
        file("train.txt", text);
        new TokenCorpusWriter(TokenCorpusWriter.textFiles(directory.resolve("in")), out(), TextTokens.BYTES).write();
        assertThat(ids(Split.TRAIN)).containsExactly(99, 97, 102, 195, 169, 32, 240, 159, 154, 128, 10, 256);
        assertThat(TokenCorpus.open(out()).kind()).isEqualTo(TextTokens.BYTES);
    }

    /** nanoGPT writes two files without a manifest. */
    @Test
    void nanoGptsFilesNeedNoManifest() throws IOException {
        Files.createDirectories(out());
        byte[] train = littleEndian(ended("to be, or", " not to be"));
        Files.write(out().resolve("train.bin"), train);
        assertThatThrownBy(() -> TokenCorpus.open(out()))
                .hasMessageEndingWith("val.bin without meta.pkl (nanoGPT), got neither");
        Files.write(out().resolve("val.bin"), littleEndian(50_256, 7));
        assertThat(TokenCorpus.open(out()).kind()).isEqualTo(TextTokens.GPT2);
        assertThat(ids(Split.TRAIN)).isEqualTo(ended("to be, or", " not to be"));
        assertThat(ids(Split.VALIDATION)).containsExactly(50_256, 7);
        assertThat(TokenCorpus.open(out()).split(Split.TEST)).isEmpty();
        var digest = Sha256.digest();
        digest.update(train);
        digest.update(littleEndian(50_256, 7));
        var bytes = TokenCorpus.expected(out(), TextTokens.BYTES, Optional.of(Sha256.hex(digest, 64)));
        TokenFile file = bytes.split(Split.VALIDATION).orElseThrow();
        assertThat(file.token(1)).isEqualTo(7);
        assertThatThrownBy(() -> file.token(0)).hasMessageEndingWith("expected an id from 0 to 256, got 50256");
        Files.write(out().resolve("val.bin"), littleEndian(8));
        Files.write(out().resolve("train.bin"), littleEndian(7, 7));
        assertThat(TokenCorpus.open(out()).ofOccurring().vocabulary().symbols())
                .containsExactly("(", ")", "<|endoftext|>");
        Files.write(out().resolve("train.bin"), new byte[3]);
        assertThatThrownBy(() -> TokenCorpus.open(out())).hasMessageEndingWith("got 3 bytes: the file is cut short");
        Files.write(out().resolve("meta.pkl"), new byte[0]);
        assertThatThrownBy(() -> TokenCorpus.open(out()))
                .hasMessageEndingWith("val.bin without meta.pkl (nanoGPT), got neither");
    }

    /** The tokens that occur in any split are numbered in the order of their ids. */
    @Test
    void aTextHasItsOwnVocabulary() throws IOException {
        file("train.txt", " to be, or not to be");
        file("test.txt", " to bee");
        write(directory.resolve("in"));
        TokenCorpus own = TokenCorpus.open(out()).ofOccurring();
        assertThat(own.vocabulary().symbols())
                .containsExactly(",", "\u0120to", "\u0120be", "\u0120or", "\u0120not", "\u0120bee", "<|endoftext|>");
        TokenFile train = own.split(Split.TRAIN).orElseThrow();
        assertThat(train.tokens(0, 8)).containsExactly(1, 2, 0, 3, 4, 1, 2, 6);
        assertThat(own.split(Split.TEST).orElseThrow().tokens(0, 3)).containsExactly(1, 5, 6);
        assertThat(TextTokens.of(own.vocabulary())).contains(TextTokens.GPT2);
        var task = new TextTask(own, 3);
        assertThat(task.vocabulary()).isEqualTo(own.vocabulary());
        assertThat(task.windows(2).getFirst().targets()).containsExactly(2, 0, 3);
        // Of 8 tokens and 7 symbols, one symbol does not occur in training.
        assertThat(new CountedText(train, 7).unigram(5)).isEqualTo(1.0 / 15);
        assertThatThrownBy(() -> task.accepts(7)).hasMessageContaining("0 to 6, got 7");
    }

    @Test
    void wordsWithoutAnEndOfTextAreNoText() {
        assertThat(TextTokens.of(new Vocabulary(List.of("a", "b")))).isEmpty();
        assertThat(TextTokens.of(new Vocabulary(List.of("b", "a", "<|endoftext|>"))))
                .isEmpty();
        assertThat(TextTokens.of(new Vocabulary(List.of("a", "b", "<|endoftext|>"))))
                .as("no blank")
                .isEmpty();
        assertThat(TextTokens.of(new Vocabulary(List.of("Ġ", "a", "b", "<|endoftext|>", "<start>"))))
                .contains(TextTokens.BYTES);
    }

    /** Opened at first use: then its kind and hash are checked. */
    @Test
    void anExpectedCorpusIsTheOneOfItsHash() throws IOException {
        var digest = Sha256.digest();
        digest.update(littleEndian(ended("a", "b")));
        String hash = Sha256.hex(digest, 64);
        var expected = TokenCorpus.expected(out(), TextTokens.GPT2, Optional.of(hash));
        assertThat(expected.isOpen()).isFalse();
        assertThatThrownBy(() -> expected.split(Split.TRAIN))
                .hasRootCauseMessage(out()
                        + ": expected manifest.json, the manifest of token files (lemmata tokenize), or train.bin and"
                        + " val.bin without meta.pkl (nanoGPT), got neither");
        file("train.txt", "a");
        file("test.txt", "b");
        write(directory.resolve("in"));
        assertThat(expected.split(Split.TEST).orElseThrow().size()).isEqualTo(2);
        assertThatThrownBy(() -> TokenCorpus.expected(out(), TextTokens.BYTES, Optional.empty())
                        .split(Split.TRAIN))
                .hasRootCauseMessage(out().resolve("manifest.json")
                        + ": vocabulary: expected bytes, as task.vocabulary says, got gpt2");
        Files.write(out().resolve("test.bin"), littleEndian(ended("c")));
        var other = TokenCorpus.expected(out(), TextTokens.GPT2, Optional.of(hash));
        assertThatThrownBy(() -> other.split(Split.TRAIN))
                .rootCause()
                .hasMessageStartingWith(out() + ": expected tokens with the SHA-256 " + hash + ", got ");
    }
}
