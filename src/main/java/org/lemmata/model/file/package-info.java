/**
 * Model files: reading and writing safetensors files ({@link org.lemmata.model.file.SafeTensorsFile}), our format for
 * weights ({@link org.lemmata.model.file.Weights}), and GPT-2.
 */
@NullMarked
package org.lemmata.model.file;

import org.jspecify.annotations.NullMarked;
