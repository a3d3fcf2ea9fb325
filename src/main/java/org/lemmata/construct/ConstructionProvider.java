package org.lemmata.construct;

import org.lemmata.setting.Catalogue;

/** Constructions that users build by name and settings; providers are listed in META-INF/services. */
public interface ConstructionProvider extends Catalogue.Provider<ConstructionRun> {}
