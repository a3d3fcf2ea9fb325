/** The weights of Hayakawa and Sato (2024): recognizers and generators of Dyck and Shuffle-Dyck without positions. */
@NullMarked
package org.lemmata.construct.hierarchy;

import org.jspecify.annotations.NullMarked;
