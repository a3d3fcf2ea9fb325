/** Natural language as GPT-2's tokens: text files in, token files out, and what is drawn from them. */
@NullMarked
package org.lemmata.dataset.text;

import org.jspecify.annotations.NullMarked;
