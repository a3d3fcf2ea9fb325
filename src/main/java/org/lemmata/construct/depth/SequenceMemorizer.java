package org.lemmata.construct.depth;

import org.lemmata.construct.Construction;
import org.lemmata.model.ExactParameters;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/** A head that completes prefixes of one training sequence to it. */
abstract sealed class SequenceMemorizer implements Construction
        permits SequenceMemorizerByOneHotEmbedding, SequenceMemorizerByProjection {

    /** The bound of failure that a construction without a given v keeps. */
    static final double DEFAULT_FAILURE = 1e-3;

    private final Source source;
    private final TelescopingHead head;
    private final double gap;

    /** @param gap by how much the square of a token's embedding exceeds its products with others, at least */
    SequenceMemorizer(Source source, TelescopingHead head, double gap) {
        this.source = source;
        this.head = head;
        this.gap = gap;
    }

    @Override
    public final Source source() {
        return source;
    }

    @Override
    public final Vocabulary vocabulary() {
        return head.vocabulary();
    }

    /** The training sequence s. */
    public final int[] word() {
        return head.word();
    }

    public final double gamma() {
        return head.gamma();
    }

    public final double v() {
        return head.v();
    }

    /** min_i (|E_i|² - max_{j != i} E_i E_jᵀ). */
    public final double gap() {
        return gap;
    }

    /** nt exp(-(v gamma / n) gap): a prefix of s is not completed to s with at most this probability. */
    public final double failureBound() {
        return head.failureBound(gap);
    }

    @Override
    public final ExactParameters build() {
        return head.build();
    }

    @Override
    public final Demand demand() {
        return head.demand(gap);
    }
}
