/**
 * The cells from which figures are judged: the required cells, the recorded cells, and the cell that is recomputed as a
 * check.
 */
@NullMarked
package org.lemmata.claim.evidence;

import org.jspecify.annotations.NullMarked;
