/** Claims: statements, the range of their tests, the tests, and the verdicts. */
@NullMarked
package org.lemmata.claim;

import org.jspecify.annotations.NullMarked;
