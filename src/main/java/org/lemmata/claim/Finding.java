package org.lemmata.claim;

import java.util.List;
import org.lemmata.statistic.Measurement;

/**
 * The result of a check.
 *
 * @param measured the measurements on which the verdict is based
 * @param seeds the random seeds that were used; empty if nothing was random
 * @param figures plots of the measurements
 * @param trivial the scores of trivial baselines; empty if no models are trained
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

    public Finding(Verdict verdict, List<Measurement> measured, List<Long> seeds, List<Figure> figures) {
        this(verdict, measured, seeds, figures, List.of());
    }

    /** This finding with a further clause in the verdict's reason. */
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

    /** This finding with the scores of trivial baselines. */
    public Finding beside(TrivialAnswer... answers) {
        return new Finding(verdict, measured, seeds, figures, List.of(answers));
    }

    public Finding(Verdict verdict, List<Measurement> measured, List<Long> seeds) {
        this(verdict, measured, seeds, List.of());
    }
}
