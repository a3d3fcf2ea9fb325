/** Cells that figures are judged from: which are needed, computed and recorded, and which is computed again. */
@NullMarked
package org.lemmata.claim.evidence;

import org.jspecify.annotations.NullMarked;
