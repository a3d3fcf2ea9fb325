/**
 * Files of models: {@link org.lemmata.model.file.SafeTensorsFile} and its writer, our
 * {@link org.lemmata.model.file.Weights} in it, and GPT-2's.
 */
@NullMarked
package org.lemmata.model.file;

import org.jspecify.annotations.NullMarked;
