package org.lemmata.kernel.embedding;

class ScalarEmbeddingTest extends EmbeddingContract {

    @Override
    Embedding embedding() {
        return new ScalarEmbedding();
    }
}
