package org.lemmata.source;

/** The five papers whose statements are run here. The key is the name of the paper's packages and claims. */
public enum Paper {
    DEPTH("depth", "Richard", 2024, "Depth Extrapolation of Decoders Trained on Nested Structures"),
    SYMBOL("symbol", "Boix-Adsera et al.", 2024, "When can transformers reason with abstract symbols?"),
    HIERARCHY(
            "hierarchy",
            "Hayakawa and Sato",
            2024,
            "Theoretical Analysis of Hierarchical Language Recognition and Generation by Transformers"
                    + " without Positional Encoding"),
    LENGTH("length", "Izzo, Nichani and Lee", 2025, "Quantitative Bounds for Length Generalization in Transformers"),
    PARITY("parity", "Kim and Suzuki", 2024, "Transformers Provably Solve Parity Efficiently with Chain of Thought");

    private final String key;
    private final String authors;
    private final int year;
    private final String title;

    Paper(String key, String authors, int year, String title) {
        this.key = key;
        this.authors = authors;
        this.year = year;
        this.title = title;
    }

    public String key() {
        return key;
    }

    public String authors() {
        return authors;
    }

    public int year() {
        return year;
    }

    public String title() {
        return title;
    }
}
