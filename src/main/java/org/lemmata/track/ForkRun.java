package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * The circumstances of one fork.
 *
 * @param row the benchmark with its parameters, as {@link BenchmarkRow#key} without the mode
 * @param fork from 0
 * @param start when its processes were started
 * @param seconds until their end
 * @param busy the share of all cores that were at work meanwhile, this fork's work included; NaN where it is not known
 * @param stolen the share that the hypervisor gave to others; NaN where it is not known
 * @param iterations when each measured one ran; empty of a fork that ran alone
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
     * @param start on the clock that all processes of a machine share
     * @param end on that clock
     * @param waited how much of it another process had the core, though this one wanted it
     * @param core the one that it was kept on, by the system's number; -1 where it might move
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"start", "end", "waited", "core"})
    public record Span(double start, double end, double waited, int core) {

        /** The share of this time in which the fork had its core. */
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

    public ForkRun {
        iterations = List.copyOf(iterations);
    }

    /** Reads what Jackson writes. */
    public static ForkRun of(JsonValue value) throws IOException {
        List<Span> iterations = value.field("iterations").or(List.of(), spans -> spans.list(ForkRun::span));
        return new ForkRun(
                value.field("row").text(),
                value.field("fork").count(),
                value.field("start").instant(),
                value.field("seconds").number(),
                value.field("busy").number(),
                value.field("stolen").number(),
                iterations);
    }

    private static Span span(JsonValue value) throws IOException {
        List<Double> times = value.numbers();
        if (times.size() != 4 || !(times.get(2) < times.get(1) - times.get(0))) {
            throw value.unexpected("start and end of an iteration, a part of that time, and a core");
        }
        return new Span(times.get(0), times.get(1), times.get(2), times.get(3).intValue());
    }
}
