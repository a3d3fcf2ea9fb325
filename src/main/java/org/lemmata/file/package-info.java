/** Reading, writing and locking files; JSON, CSV and digests. */
@NullMarked
package org.lemmata.file;

import org.jspecify.annotations.NullMarked;
