@NullMarked
package org.lemmata.dataset.text;

import org.jspecify.annotations.NullMarked;
