/**
 * Rounding in a transformer: a {@link org.lemmata.model.precision.PrecisionPolicy} names sites, where
 * {@link org.lemmata.model.precision.PassRounding} rounds the tensors of a pass.
 */
@NullMarked
package org.lemmata.model.precision;

import org.jspecify.annotations.NullMarked;
