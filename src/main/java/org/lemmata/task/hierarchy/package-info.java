/** Dyck and Shuffle-Dyck words of several bracket types: Hayakawa and Sato (2024), section 3 and appendix B.1. */
@NullMarked
package org.lemmata.task.hierarchy;

import org.jspecify.annotations.NullMarked;
