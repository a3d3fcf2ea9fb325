/** Tasks of Boix-Adsera et al. (2024): strings that match templates with wildcards, labelled by number or by symbol. */
@NullMarked
package org.lemmata.task.symbol;

import org.jspecify.annotations.NullMarked;
