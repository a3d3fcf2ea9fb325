/** Settings by name: their defaults, their legal values, and their parsing. */
@NullMarked
package org.lemmata.setting;

import org.jspecify.annotations.NullMarked;
