/**
 * The figures and tables of Hayakawa and Sato (2024): {@code BracketFigure} is about languages of brackets,
 * {@code TextTables} about text.
 */
@NullMarked
package org.lemmata.figure.hierarchy;

import org.jspecify.annotations.NullMarked;
