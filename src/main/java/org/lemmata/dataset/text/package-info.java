/** Natural language as GPT-2's tokens or bytes: reads texts, writes token files, and draws windows from them. */
@NullMarked
package org.lemmata.dataset.text;

import org.jspecify.annotations.NullMarked;
