package org.lemmata.construct;

import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Plugin;

/** The constructions that are found. */
public final class Constructions {

    public static final Catalogue<ConstructionRun> CATALOGUE =
            Catalogue.of("construction", ConstructionProvider.class, Plugin.used());

    private Constructions() {}
}
