/** The figures of Hayakawa and Sato (2024) of trained models, sentence by sentence. */
@NullMarked
package org.lemmata.claim.hierarchy.figure;

import org.jspecify.annotations.NullMarked;
