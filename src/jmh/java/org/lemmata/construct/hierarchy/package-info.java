/** Speed of the closed-form models of Hayakawa and Sato (2024). */
@NullMarked
package org.lemmata.construct.hierarchy;

import org.jspecify.annotations.NullMarked;
