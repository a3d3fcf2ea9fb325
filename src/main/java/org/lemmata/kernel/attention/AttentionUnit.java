package org.lemmata.kernel.attention;

/** A unit of work: some queries of one head of one sequence of a call, and the offsets of their rows. */
final class AttentionUnit {

    private final AttentionCall call;
    int sequence;
    private int first;
    int length;
    int head;

    /** The first query, counted from the start of the sequence. */
    int from;

    /** The query after the last query of the unit. */
    int to;

    AttentionUnit(AttentionCall call) {
        this.call = call;
    }

    void set(int newSequence, int newHead, int newFrom, int newTo) {
        sequence = newSequence;
        first = call.sequences.start(sequence);
        length = call.sequences.length(sequence);
        head = newHead;
        from = newFrom;
        to = newTo;
    }

    AttentionInputs inputs() {
        return call.inputs;
    }

    AttentionShape shape() {
        return call.shape;
    }

    /** The offset at which the head's columns of a position begin in queries, keys, values and outputs. */
    int at(int position) {
        AttentionShape shape = shape();
        return (first + position) * shape.width() + head * shape.headWidth();
    }

    /** The offset of a position in tokens and identity outputs. */
    int tokenAt(int position) {
        return (first + position) * shape().identityWidth();
    }

    /** The index of a position in arrays that have one number per row and head. */
    int numberAt(int position) {
        return (first + position) * shape().heads() + head;
    }
}
