/** Measures of models and of their weights. */
@NullMarked
package org.lemmata.measure;

import org.jspecify.annotations.NullMarked;
