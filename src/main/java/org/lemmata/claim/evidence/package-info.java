/**
 * The cells from which figures are judged: which are needed, which are recorded, and which one is recomputed as a
 * check.
 */
@NullMarked
package org.lemmata.claim.evidence;

import org.jspecify.annotations.NullMarked;
