package org.lemmata.cli.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import org.lemmata.train.TrainingListener;

/** The progress of training: a bar on a terminal, otherwise a line every few seconds and at each evaluation. */
public final class TrainingProgress extends TerminalProgress implements TrainingListener {

    /** The end of the names of counts; other measurements are rates. */
    private static final String COUNT = "InTraining";

    private final BooleanSupplier stop;
    private final Duration pause;
    private String validation = "";

    /**
     * @param pause the time between lines if it is not a terminal
     * @param stop whether the user requested the end of the run
     */
    public TrainingProgress(PrintWriter err, long steps, Duration pause, BooleanSupplier stop) {
        super(err);
        this.stop = stop;
        this.pause = pause;
        bar = terminal ? bar("train", steps).setEtaFunction(state -> timeLeft()).build() : null;
    }

    @Override
    public void stepped(TrainingListener.Progress progress) {
        secondsLeft = progress.secondsLeft();
        if (bar != null) {
            bar.stepTo(progress.step());
            bar.setExtraMessage(String.format(
                    Locale.ROOT,
                    " loss %.4g%s, %.0f tokens/s",
                    progress.trainLoss(),
                    validation,
                    progress.tokensPerSecond()));
        } else if (isDue(pause)) {
            err.println(line(progress));
        }
    }

    private static String line(TrainingListener.Progress progress) {
        return String.format(
                Locale.ROOT,
                "train: step %d of %d, loss %.4g, %.0f tokens/s%s",
                progress.step(),
                progress.steps(),
                progress.trainLoss(),
                progress.tokensPerSecond(),
                Double.isNaN(progress.secondsLeft()) ? "" : ", " + time(progress.secondsLeft()) + " left");
    }

    @Override
    public void measured(TrainingListener.CurvePoint point) {
        var measured = new StringJoiner(", ");
        if (point.validationLoss() != null) {
            validation = String.format(Locale.ROOT, ", validation %.4g", point.validationLoss());
            measured.add(String.format(Locale.ROOT, "validation loss %.4g", point.validationLoss()));
        }
        point.measured()
                .forEach((hook, numbers) ->
                        numbers.forEach((name, number) -> measured.add(hook + " " + name + " " + text(name, number))));
        if (bar == null && measured.length() > 0) {
            err.println("train: step " + point.step() + ": " + measured);
        }
    }

    private String text(String name, double number) {
        return String.format(Locale.ROOT, name.endsWith(COUNT) ? "%.0f" : "%.4g", number);
    }

    @Override
    public boolean wantsToStop() {
        return stop.getAsBoolean();
    }
}
