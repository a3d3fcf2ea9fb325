package org.lemmata.task;

import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Plugin;

/** The tasks of all providers. */
public final class Tasks {

    public static final Catalogue<Task> CATALOGUE = Catalogue.of("task", TaskProvider.class, Plugin.used());

    private Tasks() {}
}
