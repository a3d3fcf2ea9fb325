package org.lemmata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A self-contained SVG file under docs, with colours for light and dark themes and a transparent background. The file
 * must equal the drawing; {@code mvn test -Dtest='*PictureTest' -Dlemmata.pictures.record=true} updates it.
 */
public final class DocumentPicture {

    /** The colours of page.css. */
    private static final String STYLE = """
        :root { --card: #ffffff; --ink: #1b1d1f; --ink-soft: #53585d; --rule: #b9bdb8; --grid: #e6e7e3;
          --series-1: #0072b2; --series-2: #c04f00; --series-3: #00805d; --series-4: #a8467f; --series-5: #946500;
          --series-6: #333333; }
        @media (prefers-color-scheme: dark) {
          :root { --card: #1c2024; --ink: #e8e9e6; --ink-soft: #adb3b8; --rule: #565d64; --grid: #30363b;
            --series-1: #56b4e9; --series-2: #f08a4b; --series-3: #2fc79a; --series-4: #dc92bd; --series-5: #e6b43c;
            --series-6: #d9dbd8; }
        }
        text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
          fill: var(--ink-soft); }
        .key path { stroke-width: 2; }
        """;

    private DocumentPicture() {}

    /**
     * Compares {@code docs/NAME.svg} with a picture.
     *
     * @param scale the ratio of displayed to drawn sizes
     * @param label a description for screen readers
     * @param drawn SVG elements, in pixels
     */
    public static void compare(String name, int width, int height, double scale, String label, String drawn)
            throws IOException {
        String svg = String.format(Locale.ROOT, """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%.0f" height="%.0f" role="img" \
            aria-label="%s">
            <style>
            %s</style>
            %s
            </svg>
            """, width, height, scale * width, scale * height, label, STYLE, drawn);
        Path file = Path.of("docs", name + ".svg");
        if (Boolean.getBoolean("lemmata.pictures.record")) {
            Files.writeString(file, svg);
        }
        assertThat(file).hasContent(svg);
    }
}
