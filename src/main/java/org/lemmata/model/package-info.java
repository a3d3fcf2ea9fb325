/**
 * The one transformer. What it is: {@link org.lemmata.model.Architecture}, whose components are the {@code Options}.
 * Its numbers: {@link org.lemmata.model.Parameters}, drawn by an {@link org.lemmata.model.Initialization}, kept in
 * files by {@link org.lemmata.model.file.Weights}. What it does: {@link org.lemmata.model.Transformer}, its reference
 * {@link org.lemmata.model.ReferenceTransformer}, {@link org.lemmata.model.Generation}, and, to be trained,
 * {@link org.lemmata.model.Backpropagation}. Beside it stands the {@link org.lemmata.model.MultilayerPerceptron}.
 */
@NullMarked
package org.lemmata.model;

import org.jspecify.annotations.NullMarked;
