package org.lemmata.model.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lemmata.argument.Refuse;
import org.lemmata.file.FileTree;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;

/**
 * {@code model.safetensors.index.json}. Under {@code weight_map}, it maps each tensor to a safetensors file in the
 * directory of the index.
 *
 * <p>Source: huggingface_hub's documentation of sharded checkpoints.
 */
public final class ShardIndex {

    public static final String SUFFIX = ".index.json";

    private ShardIndex() {}

    /**
     * The file of each tensor.
     *
     * @throws MalformedFileException if the index is invalid, or names files outside its directory
     */
    static Map<String, Path> read(Path index) throws IOException {
        JsonValue map = JsonValue.read(index, "the file of each tensor").field("weight_map");
        Map<String, Path> files = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : map.textFields().entrySet()) {
            String place = "weight_map." + Refuse.shown(entry.getKey());
            Path file = FileTree.named(index, place, entry.getValue());
            if (!entry.getValue().endsWith(".safetensors") || !file.equals(index.resolveSibling(file.getFileName()))) {
                throw new MalformedFileException(
                        index,
                        place,
                        "expected a safetensors file in the directory of the index, got "
                                + Refuse.quoted(entry.getValue()));
            }
            files.put(entry.getKey(), file);
        }
        if (files.isEmpty()) {
            throw map.unexpected("the file of each tensor");
        }
        return files;
    }
}
