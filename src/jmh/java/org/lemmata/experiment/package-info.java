/** Speed of whole training runs. */
@NullMarked
package org.lemmata.experiment;

import org.jspecify.annotations.NullMarked;
