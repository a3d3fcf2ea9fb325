/** Models in closed form of Richard (2024). */
@NullMarked
package org.lemmata.construct.depth;

import org.jspecify.annotations.NullMarked;
