package org.lemmata.construct;

import org.lemmata.setting.Catalogue;

/** Provides constructions that users create by name and settings. Providers are listed in META-INF/services. */
public interface ConstructionProvider extends Catalogue.Provider<ConstructionRun> {}
