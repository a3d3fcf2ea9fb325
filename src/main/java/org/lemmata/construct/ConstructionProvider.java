package org.lemmata.construct;

import org.lemmata.setting.Catalogue;

/** Constructions that a user makes by name and settings, and runs; providers stand in META-INF/services. */
public interface ConstructionProvider extends Catalogue.Provider<ConstructionRun> {}
