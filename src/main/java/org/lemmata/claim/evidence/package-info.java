/**
 * The cells from which figures are judged: which cells are needed, computed and recorded, and which one is recomputed.
 */
@NullMarked
package org.lemmata.claim.evidence;

import org.jspecify.annotations.NullMarked;
