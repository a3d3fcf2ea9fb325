/**
 * The transformer, which an {@link org.lemmata.model.Architecture} describes by records of options.
 * {@link org.lemmata.model.Parameters} are drawn by an {@link org.lemmata.model.Initialization} and stored in files by
 * {@link org.lemmata.model.file.Weights}. {@link org.lemmata.model.Transformer} computes its outputs,
 * {@link org.lemmata.model.ReferenceTransformer} is the reference in binary64, {@link org.lemmata.model.Generation}
 * completes prefixes, and {@link org.lemmata.model.Backpropagation} computes gradients for training. The package also
 * has a {@link org.lemmata.model.MultilayerPerceptron}.
 */
@NullMarked
package org.lemmata.model;

import org.jspecify.annotations.NullMarked;
