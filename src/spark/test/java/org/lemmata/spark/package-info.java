@NullMarked
package org.lemmata.spark;

import org.jspecify.annotations.NullMarked;
