/** What can be made from named settings: the settings with their defaults, and reading them from text. */
@NullMarked
package org.lemmata.setting;

import org.jspecify.annotations.NullMarked;
