package org.lemmata.task;

import org.lemmata.setting.Catalogue;

/** Provides tasks that users create by name and settings. Providers are listed in META-INF/services. */
public interface TaskProvider extends Catalogue.Provider<Task> {}
