/** Coverage-guided fuzzing of everything that Lemmata reads: {@code mvn -P fuzz verify}. */
@NullMarked
package org.lemmata.fuzz;

import org.jspecify.annotations.NullMarked;
