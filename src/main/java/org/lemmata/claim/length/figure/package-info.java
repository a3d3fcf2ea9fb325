/** What the length paper says of its figures: sentences on trained models, judged from their cells. */
@NullMarked
package org.lemmata.claim.length.figure;

import org.jspecify.annotations.NullMarked;
