/** Speed of softmax. */
@NullMarked
package org.lemmata.kernel.softmax;

import org.jspecify.annotations.NullMarked;
