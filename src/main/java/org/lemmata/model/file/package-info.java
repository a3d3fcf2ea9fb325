/**
 * Model files: safetensors files ({@link org.lemmata.model.file.SafeTensorsFile}), the format of Lemmata for weights
 * ({@link org.lemmata.model.file.Weights}), and GPT-2.
 */
@NullMarked
package org.lemmata.model.file;

import org.jspecify.annotations.NullMarked;
