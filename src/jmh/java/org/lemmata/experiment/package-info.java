/** Speed of training runs as a whole. */
@NullMarked
package org.lemmata.experiment;

import org.jspecify.annotations.NullMarked;
