/** Models in closed form and quantities of Izzo, Nichani and Lee (2025). */
@NullMarked
package org.lemmata.construct.length;

import org.jspecify.annotations.NullMarked;
