package org.lemmata.construct;

import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/** A construction with its result and its tokens. */
public abstract class ClosedForm implements Construction {

    private final Source source;
    private final Vocabulary vocabulary;

    protected ClosedForm(Source source, Vocabulary vocabulary) {
        this.source = source;
        this.vocabulary = vocabulary;
    }

    @Override
    public final Source source() {
        return source;
    }

    @Override
    public final Vocabulary vocabulary() {
        return vocabulary;
    }
}
