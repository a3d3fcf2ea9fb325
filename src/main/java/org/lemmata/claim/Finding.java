package org.lemmata.claim;

import java.util.List;
import org.lemmata.statistic.Measurement;

/**
 * What a check found.
 *
 * @param verdict the verdict
 * @param measured the figures behind it
 * @param seeds every seed that was drawn from; empty if nothing was random
 * @param figures pictures of what was measured; may be empty
 * @param trivial what answers reach that take no learning; empty where no models are trained
 */
public record Finding(
        Verdict verdict,
        List<Measurement> measured,
        List<Long> seeds,
        List<Figure> figures,
        List<TrivialAnswer> trivial) {

    public Finding {
        measured = List.copyOf(measured);
        seeds = List.copyOf(seeds);
        figures = List.copyOf(figures);
        trivial = List.copyOf(trivial);
    }

    /** With pictures. */
    public Finding(Verdict verdict, List<Measurement> measured, List<Long> seeds, List<Figure> figures) {
        this(verdict, measured, seeds, figures, List.of());
    }

    /** The same with something more to say. */
    public Finding with(String also) {
        return as(new Verdict(verdict.outcome(), verdict.reason() + "; " + also));
    }

    /** The same figures with another verdict. */
    public Finding as(Verdict other) {
        return new Finding(other, measured, seeds, figures, trivial);
    }

    /** The same with these pictures. */
    public Finding showing(Figure... pictures) {
        return new Finding(verdict, measured, seeds, List.of(pictures), trivial);
    }

    /** The same beside what answers reach that take no learning. */
    public Finding beside(TrivialAnswer... answers) {
        return new Finding(verdict, measured, seeds, figures, List.of(answers));
    }

    /** Without pictures. */
    public Finding(Verdict verdict, List<Measurement> measured, List<Long> seeds) {
        this(verdict, measured, seeds, List.of());
    }
}
