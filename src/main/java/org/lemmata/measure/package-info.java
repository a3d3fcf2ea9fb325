/** Metrics of models. */
@NullMarked
package org.lemmata.measure;

import org.jspecify.annotations.NullMarked;
