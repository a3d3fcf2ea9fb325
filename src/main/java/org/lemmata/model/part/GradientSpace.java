package org.lemmata.model.part;

/** The gradients of activations; all layers use these arrays in turn. */
final class GradientSpace {

    /** The number of rows of the arrays. */
    final int rows;

    /** The gradient of x: of a part's output, then of its input. */
    final float[] dx;

    /** The gradient of u. */
    final float[] du;

    /** The gradient of y; without dropout, the gradient of the sum. */
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
