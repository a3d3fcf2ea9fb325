package org.lemmata.claim;

import java.util.List;
import org.lemmata.statistic.Measurement;

/**
 * The result of a check.
 *
 * @param measured the measurements on which it rests
 * @param seeds every random seed that was used; empty if nothing was random
 * @param figures plots of the measurements; may be empty
 * @param trivial the scores of answers that need no learning; empty if no models are trained
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

    /** A finding with plots. */
    public Finding(Verdict verdict, List<Measurement> measured, List<Long> seeds, List<Figure> figures) {
        this(verdict, measured, seeds, figures, List.of());
    }

    /** This finding with a further clause in its reason. */
    public Finding with(String also) {
        return as(new Verdict(verdict.outcome(), verdict.reason() + "; " + also));
    }

    /** This finding with another verdict. */
    public Finding as(Verdict other) {
        return new Finding(other, measured, seeds, figures, trivial);
    }

    /** This finding with plots. */
    public Finding showing(Figure... pictures) {
        return new Finding(verdict, measured, seeds, List.of(pictures), trivial);
    }

    /** This finding with the scores of answers that need no learning. */
    public Finding beside(TrivialAnswer... answers) {
        return new Finding(verdict, measured, seeds, figures, List.of(answers));
    }

    /** A finding without plots. */
    public Finding(Verdict verdict, List<Measurement> measured, List<Long> seeds) {
        this(verdict, measured, seeds, List.of());
    }
}
