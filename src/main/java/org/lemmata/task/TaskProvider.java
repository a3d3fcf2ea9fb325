package org.lemmata.task;

import org.lemmata.setting.Catalogue;

/** Tasks that users build by name and settings; providers are listed in META-INF/services. */
public interface TaskProvider extends Catalogue.Provider<Task> {}
