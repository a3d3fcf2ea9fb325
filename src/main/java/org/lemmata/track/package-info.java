/** Run records, machine identity and benchmark results over jmh-results. */
@NullMarked
package org.lemmata.track;

import org.jspecify.annotations.NullMarked;
