package org.lemmata.model.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Contents;
import org.lemmata.file.FileTree;
import org.lemmata.file.MalformedFileException;

/**
 * {@code model.safetensors.index.json}. Under {@code weight_map}, it maps each tensor to a safetensors file in the
 * directory of the index.
 *
 * <p>Source: huggingface_hub's documentation of sharded checkpoints.
 */
public final class ShardIndex {

    public static final String SUFFIX = ".index.json";

    private static final String MAP = "weight_map";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private ShardIndex() {}

    /**
     * The file of each tensor.
     *
     * @throws MalformedFileException if the index is invalid, or names files outside its directory
     */
    static Map<String, Path> read(Path index) throws IOException {
        Map<String, Path> files = new LinkedHashMap<>();
        try {
            var root = MAPPER.readTree(Contents.of(index)).path(MAP);
            if (root.isEmpty()) {
                throw new MalformedFileException(index, MAP, "expected the file of each tensor, got none");
            }
            for (var entry : root.properties()) {
                String name = entry.getValue().asText();
                String place = MAP + "." + Refuse.shown(entry.getKey());
                Path file = FileTree.named(index, place, name);
                if (!name.endsWith(".safetensors") || !file.equals(index.resolveSibling(file.getFileName()))) {
                    throw new MalformedFileException(
                            index, place, "expected a safetensors file beside the index, got " + Refuse.quoted(name));
                }
                files.put(entry.getKey(), file);
            }
            return files;
        } catch (JsonProcessingException e) {
            throw new MalformedFileException(
                    index, "", "expected JSON: " + Refuse.withShortQuotes(String.valueOf(e.getOriginalMessage())));
        }
    }
}
