package org.lemmata.kernel.attention;

/** A unit of work: some queries of one head of one sequence of a call, and the offsets of their rows. */
public final class AttentionUnit {

    private final AttentionCall call;
    private int sequence;
    private int first;
    private int length;
    private int head;
    private int from;
    private int to;

    AttentionUnit(AttentionCall call) {
        this.call = call;
    }

    void set(int newSequence, int newHead, int newFrom, int newTo) {
        sequence = newSequence;
        first = call.sequences().start(sequence);
        length = call.sequences().length(sequence);
        head = newHead;
        from = newFrom;
        to = newTo;
    }

    public AttentionInputs inputs() {
        return call.inputs();
    }

    public AttentionShape shape() {
        return call.shape();
    }

    int sequence() {
        return sequence;
    }

    public int length() {
        return length;
    }

    public int head() {
        return head;
    }

    /** The first query, counted from the start of the sequence. */
    public int from() {
        return from;
    }

    /** The query after the last query of the unit. */
    public int to() {
        return to;
    }

    /** The row, in the batch, of a position of the sequence. */
    public int row(int position) {
        return first + position;
    }

    /** The offset at which the head's columns of a position begin in queries, keys, values and outputs. */
    public int at(int position) {
        AttentionShape shape = shape();
        return (first + position) * shape.width() + head * shape.headWidth();
    }

    /** The offset of a position in tokens and identity outputs. */
    public int tokenAt(int position) {
        return (first + position) * shape().identityWidth();
    }

    /** The index of a position in arrays that have one number per row and head. */
    public int numberAt(int position) {
        return (first + position) * shape().heads() + head;
    }
}
