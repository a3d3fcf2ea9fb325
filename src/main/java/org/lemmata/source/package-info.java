/** Sources in the literature: papers, and results in them. */
@NullMarked
package org.lemmata.source;

import org.jspecify.annotations.NullMarked;
