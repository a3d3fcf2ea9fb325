/** The feed-forward layer of a transformer. */
@NullMarked
package org.lemmata.kernel.feedforward;

import org.jspecify.annotations.NullMarked;
