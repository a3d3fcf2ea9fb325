/**
 * Rounding in a transformer: a {@link org.lemmata.model.precision.PrecisionPolicy} names sites, and
 * {@link org.lemmata.model.precision.PassRounding} rounds the tensors of a pass there.
 */
@NullMarked
package org.lemmata.model.precision;

import org.jspecify.annotations.NullMarked;
