package org.lemmata.model;

/**
 * What a parameter of a transformer is for.
 *
 * <p>A parameter is named after its role. If every layer has the role, the name begins with the layer, as in
 * {@code layer.0.query}.
 */
public enum ParameterRole {
    TOKEN_EMBEDDING("token_embedding", false),
    POSITION_EMBEDDING("position_embedding", false),
    ATTENTION_NORM_GAIN("attention_norm.gain", true),
    ATTENTION_NORM_SHIFT("attention_norm.shift", true),
    QUERY("query", true),
    QUERY_BIAS("query_bias", true),
    KEY("key", true),
    KEY_BIAS("key_bias", true),
    VALUE("value", true),
    VALUE_BIAS("value_bias", true),
    QUERY_NORM_GAIN("query_norm.gain", true),
    QUERY_NORM_SHIFT("query_norm.shift", true),
    KEY_NORM_GAIN("key_norm.gain", true),
    KEY_NORM_SHIFT("key_norm.shift", true),
    /** The factors a of the identities, one per head. */
    KEY_QUERY_IDENTITY("key_query_identity", true),
    /** The factors b of the identities, one per head. */
    VALUE_OUTPUT_IDENTITY("value_output_identity", true),
    /** The score biases phi: one row per head, one column per distance. */
    SCORE_BIAS("score_bias", true),
    OUTPUT("output", true),
    OUTPUT_BIAS("output_bias", true),
    FEED_FORWARD_NORM_GAIN("feed_forward_norm.gain", true),
    FEED_FORWARD_NORM_SHIFT("feed_forward_norm.shift", true),
    FIRST("first", true),
    FIRST_BIAS("first_bias", true),
    INNER_NORM_GAIN("inner_norm.gain", true),
    INNER_NORM_SHIFT("inner_norm.shift", true),
    SECOND("second", true),
    SECOND_BIAS("second_bias", true),
    FINAL_NORM_GAIN("final_norm.gain", false),
    FINAL_NORM_SHIFT("final_norm.shift", false),
    UNEMBEDDING("unembedding", false),
    UNEMBEDDING_BIAS("unembedding_bias", false);

    private final String title;
    private final boolean ofLayer;

    ParameterRole(String title, boolean ofLayer) {
        this.title = title;
        this.ofLayer = ofLayer;
    }

    /** Whether each layer has a parameter of this role. */
    public boolean ofLayer() {
        return ofLayer;
    }

    /** Whether the parameter is the gain of a normalization, whose neutral value is 1. */
    public boolean isGain() {
        return title.endsWith(".gain");
    }

    /** The name of this role's parameter in a layer, or in the model. */
    String name(int layer) {
        return ofLayer ? "layer." + layer + "." + title : title;
    }
}
