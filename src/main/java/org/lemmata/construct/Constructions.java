package org.lemmata.construct;

import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Plugin;

/** The constructions of all providers. */
public final class Constructions {

    public static final Catalogue<ConstructionRun> CATALOGUE =
            Catalogue.of("construction", ConstructionProvider.class, Plugin.used());

    private Constructions() {}
}
