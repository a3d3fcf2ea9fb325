package org.lemmata.construct.length;

/**
 * S, the classes in the head of a sequence to which hardmax attends, and |A| = sum_{c in S} n_c. S is empty if only the
 * tail has the maximum logit.
 *
 * @param attended for each class, whether hardmax attends to it
 * @param total |A|
 */
@SuppressWarnings("ArrayRecordComponent") // The array is used only in this package.
record AttendedClasses(boolean[] attended, long total) {

    static AttendedClasses of(LimitAttention head, PositionCounts x) {
        int tail = x.tailLength();
        int query = x.tailClass(tail - 1);
        double maximum = Double.NEGATIVE_INFINITY;
        for (int index = 0; index < tail; index++) {
            maximum = Math.max(maximum, head.logit(query, x.tailClass(index), tail - 1L - index));
        }
        for (int c = 0; c < head.classes(); c++) {
            if (x.count(c) > 0) {
                maximum = Math.max(maximum, head.logit(query, c, Long.MAX_VALUE));
            }
        }
        boolean[] attended = new boolean[head.classes()];
        long total = 0;
        for (int c = 0; c < attended.length; c++) {
            attended[c] = x.count(c) > 0 && head.logit(query, c, Long.MAX_VALUE) == maximum;
            total += attended[c] ? x.count(c) : 0;
        }
        return new AttendedClasses(attended, total);
    }

    boolean contains(int keyClass) {
        return attended[keyClass];
    }
}
