package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.dataset.text.TextTokens;
import org.lemmata.dataset.text.TokenCorpusWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "tokenize",
        description = {
            "Turn text files into tokens: GPT-2's, or bytes.",
            "Writes train.bin, val.bin and test.bin, 16 bits per token, and a manifest with sizes, hashes and the"
                    + " overlap with the training split. docs/data-sets.md explains the splits."
        },
        footer = {"  lemmata tokenize wikitext-2-raw --out wikitext", "  lemmata tokenize docs/*.md --out tokens --json"
        })
final class TokenizeCommand extends JsonCommand {

    @Parameters(
            paramLabel = "PLACE",
            arity = "1..*",
            description = "Text files in UTF-8, or directories with files named .txt, .raw or .jsonl. A .jsonl file has"
                    + " a document per line, in the field text.")
    private List<Path> places = new ArrayList<>();

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "A directory that is new or empty.")
    private Path directory;

    @Option(names = "--bytes", description = "Write the 256 bytes of UTF-8 as tokens instead of GPT-2's 50,257.")
    private boolean bytes;

    @Override
    public Integer call() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path place : places) {
            files.addAll(TokenCorpusWriter.textFiles(place));
        }
        requireJsonPlace();
        var writer = new TokenCorpusWriter(files, directory, bytes ? TextTokens.BYTES : TextTokens.GPT2);
        Map<String, Object> manifest = OutDirectory.fill(directory, writer::write);
        Map<?, ?> splits = (Map<?, ?>) Objects.requireNonNull(manifest.get("splits"));
        String text = "tokens: "
                + splits.entrySet().stream()
                        .map(split -> ((Map<?, ?>) split.getValue()).get("tokens") + " " + split.getKey())
                        .collect(Collectors.joining(", "))
                + " written to " + directory + " with manifest.json";
        printJson(manifest, () -> out().println(text));
        return ExitCode.CLEAN;
    }
}
