/**
 * The transformer of Kim and Suzuki (2024): attention depends only on positions, and a link function turns averages
 * into parities.
 */
@NullMarked
package org.lemmata.model.parity;

import org.jspecify.annotations.NullMarked;
