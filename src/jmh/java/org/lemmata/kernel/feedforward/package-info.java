/** Speed of the feed-forward layer. */
@NullMarked
package org.lemmata.kernel.feedforward;

import org.jspecify.annotations.NullMarked;
