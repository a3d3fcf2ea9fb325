/** The transformer of Kim and Suzuki (2024): positions alone are attended to, and a link makes parities of averages. */
@NullMarked
package org.lemmata.model.parity;

import org.jspecify.annotations.NullMarked;
