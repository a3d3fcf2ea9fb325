package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;
import java.util.List;

/**
 * The circumstances of one fork.
 *
 * @param row the benchmark with its own parameters, such as "org.lemmata.X.vector columns=1024"
 * @param fork the index of the fork
 * @param start the time at which the fork, and in a duet also the other fork, was started
 * @param seconds the time from {@code start} until all of these forks ended
 * @param busy the share of all cores that was busy in this time, including this fork's work; NaN if unknown
 * @param stolen the share of all cores that the hypervisor gave to other machines; NaN if unknown
 * @param iterations the times of measured iterations; empty for a fork that ran alone
 */
public record ForkRun(
        String row,
        int fork,
        @JsonSerialize(using = ToStringSerializer.class) Instant start,
        double seconds,
        double busy,
        double stolen,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Span> iterations) {

    /**
     * The time of an iteration, in microseconds.
     *
     * @param start the start, on the clock that all processes of a machine share
     * @param end the end, on the same clock
     * @param waited the part of this time in which another process had the core although the fork had work
     * @param core the core to which the fork was pinned; -1 if it was not pinned
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"start", "end", "waited", "core"})
    public record Span(double start, double end, double waited, int core) {

        public Span {
            if (!(waited < end - start)) {
                throw new IllegalArgumentException("expected the start and end of an iteration and a part of that time,"
                        + " got " + start + ", " + end + " and " + waited);
            }
        }

        @JsonCreator
        static Span of(List<Double> times) {
            if (times.size() != 4) {
                throw new IllegalArgumentException(
                        "expected start, end, waiting time and core of an iteration, got " + times.size() + " numbers");
            }
            return new Span(
                    times.get(0), times.get(1), times.get(2), times.get(3).intValue());
        }

        /** The share of the iteration in which the fork had its core. */
        double share() {
            return 1 - waited / length();
        }

        double length() {
            return end - start;
        }

        double sharedWith(Span other) {
            return Math.max(0, Math.min(end, other.end) - Math.max(start, other.start));
        }
    }
}
