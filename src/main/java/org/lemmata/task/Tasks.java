package org.lemmata.task;

import org.lemmata.setting.Catalogue;

/** The tasks that are found. */
public final class Tasks {

    public static final Catalogue<Task> CATALOGUE = Catalogue.of("task", TaskProvider.class);

    private Tasks() {}
}
