package org.lemmata.model.part;

/** Gradients of activations, for all layers one after the other. */
final class GradientSpace {

    /** How many rows there is room for. */
    final int rows;

    /** The gradient of x: of what a part leaves, then of what it reads. */
    final float[] dx;

    /** The gradient of u. */
    final float[] du;

    /** The gradient of y; without dropout, that of the sum. */
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
