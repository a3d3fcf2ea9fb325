/**
 * The figures of Richard (2024): {@code Figure1} is about simplified Boolean expressions, and {@code Figure3Left} and
 * {@code Figure3Right} are about completed words. {@code Figure4} and {@code Figure5} examine completions and weights
 * of the models of figure 3 (right). {@code Figure6} and {@code Figure7} are about ablated models.
 */
@NullMarked
package org.lemmata.figure.depth;

import org.jspecify.annotations.NullMarked;
