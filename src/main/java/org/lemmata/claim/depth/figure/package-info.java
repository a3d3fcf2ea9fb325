/** What the depth paper says of its figures: sentences on trained models, judged from their cells. */
@NullMarked
package org.lemmata.claim.depth.figure;

import org.jspecify.annotations.NullMarked;
