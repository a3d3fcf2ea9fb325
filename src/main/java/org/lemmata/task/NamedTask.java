package org.lemmata.task;

import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/** A task with its name, its source and its tokens. */
public abstract class NamedTask implements Task {

    private final String name;
    private final Source source;
    private final Vocabulary vocabulary;

    protected NamedTask(String name, Source source, Vocabulary vocabulary) {
        this.name = name;
        this.source = source;
        this.vocabulary = vocabulary;
    }

    @Override
    public final String name() {
        return name;
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
