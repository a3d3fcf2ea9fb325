/**
 * The figures of Boix-Adsera et al. (2024): {@code ArchitectureFigures} and {@code HyperparameterFigures} are about
 * template tasks, {@code TextFigure} about text. {@code SymbolFigures} lists their grids.
 */
@NullMarked
package org.lemmata.figure.symbol;

import org.jspecify.annotations.NullMarked;
