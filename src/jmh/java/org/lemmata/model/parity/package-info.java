/** The parity transformer by bits and samples. */
@NullMarked
package org.lemmata.model.parity;

import org.jspecify.annotations.NullMarked;
