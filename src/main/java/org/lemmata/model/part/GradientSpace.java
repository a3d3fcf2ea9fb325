package org.lemmata.model.part;

/** The gradients of activations; all layers use these arrays in turn. */
final class GradientSpace {

    /** The number of rows of the arrays. */
    final int rows;

    /** The gradient of a part's output, which the part replaces by the gradient of its input. */
    final float[] dx;

    /** The gradient of u, the part's input after a norm if there is one. */
    final float[] du;

    /** The gradient of y, the term that the part adds to x; without dropout, the same array as dx. */
    final float[] dy;

    final AttentionPart.Gradients attention;

    GradientSpace(PartContext context, int rows) {
        int size = PartContext.size(rows, context.width());
        this.rows = rows;
        dx = new float[size];
        du = new float[size];
        dy = context.architecture().dropout() > 0 ? new float[size] : dx;
        attention = new AttentionPart.Gradients(context, rows, du, dy);
    }
}
