package org.lemmata.model.part;

/** The gradients of activations; all layers use these arrays in turn. */
final class GradientSpace {

    final int rows;

    /** The gradient of the output of a part. The part replaces it by the gradient of its input. */
    final float[] dx;

    /** The gradient of u, the input of a part: norm(x) if norms come before the parts, else x. */
    final float[] du;

    /** The gradient of y, the term that the part adds to x. Without dropout, this is dx itself. */
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
