/**
 * The cells from which figures are judged: the required cells, the recorded cells, and the cells that are recomputed as
 * a check.
 */
@NullMarked
package org.lemmata.claim.evidence;

import org.jspecify.annotations.NullMarked;
