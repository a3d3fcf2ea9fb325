package org.lemmata.task;

import org.lemmata.setting.Catalogue;

/** Tasks that a user makes by name and settings; providers stand in META-INF/services. */
public interface TaskProvider extends Catalogue.Provider<Task> {}
