/** Exact and binary64 references that share no code with what they judge. */
@NullMarked
package org.lemmata.oracle;

import org.jspecify.annotations.NullMarked;
