/** Models in closed form of Hayakawa and Sato (2024): recognizers and generators without positions. */
@NullMarked
package org.lemmata.construct.hierarchy;

import org.jspecify.annotations.NullMarked;
