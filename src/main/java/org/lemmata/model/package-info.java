/** The one transformer: architecture, parameters, forward pass, generation. */
@NullMarked
package org.lemmata.model;

import org.jspecify.annotations.NullMarked;
