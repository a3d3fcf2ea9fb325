package org.lemmata.experiment;

import java.util.List;
import org.lemmata.config.Section;
import org.lemmata.setting.Setting;

/**
 * Every key of a training configuration with its default and its meaning: docs/training.md shows the same, and a test
 * holds the two together.
 */
public final class TrainingSections {

    private static final Section TASK = Section.of(
            "task",
            List.of(
                    new Setting("name", "", "a task that `lemmata tasks` lists; given unless `file` is"),
                    new Setting(
                            "file",
                            "",
                            "instead of `name`: the directory of a data set that `lemmata generate` wrote")),
            Section.open("settings", "settings of the task `name`, with the defaults that `lemmata tasks` lists"));

    private static final Section DATA = Section.of(
            "data",
            List.of(
                    new Setting(
                            "train",
                            "",
                            "`online`, where every example is drawn anew, or the size of a training set; by default"
                                    + " `online`,"
                                    + " or the whole split train of a file"),
                    new Setting(
                            "distinct",
                            "false",
                            "whether the examples of a training set are pairwise distinct, and none of them stands in"
                                    + " the validation or test set"),
                    new Setting(
                            "validation",
                            "",
                            "examples of the validation set, 0 for none; by default 1024, or of a file the whole split"
                                    + " validation, or without one a tenth of the split train, of which they are the"
                                    + " last"),
                    new Setting(
                            "test",
                            "",
                            "examples of the test set, 0 for none; by default 1024, or the whole split test of a file"),
                    new Setting(
                            "start",
                            "false",
                            "whether a token `<start>`, added to the vocabulary, stands before each sequence")));

    private static final Section POSITIONS = Section.of(
            "positions",
            List.of(
                    new Setting("kind", "table", "`none`, `table` (a row a position) or `periodic`"),
                    new Setting("period", "", "rows of a periodic table, which must be given")));

    private static final Section ATTENTION = Section.of(
            "attention",
            List.of(
                    new Setting("heads", "1", "heads of a layer"),
                    new Setting(
                            "head-width", "", "columns of a head; width / heads by default, which must then be whole"),
                    new Setting("weighting", "softmax", "`softmax`, `uniform`, `hardmax` or `thresholded`"),
                    new Setting("threshold-bits", "", "p of thresholded weights, which must be given"),
                    new Setting("mask", "causal", "`causal` or `none`"),
                    new Setting(
                            "score-scale",
                            "",
                            "factor of the scores; 1 / sqrt(head-width) by default, or 1 /" + " head-width for `mu-p`"),
                    new Setting(
                            "log-length",
                            "false",
                            "whether scores are multiplied by ln of the number of positions seen; `sequence`: by ln of"
                                    + " the sequence's length"),
                    new Setting("score-bias-span", "0", "distances with a trained score bias of each head; 0 for none"),
                    new Setting(
                            "identities",
                            "false",
                            "whether each head has trained factors of the identity in its key-query and value-output"
                                    + " products"),
                    new Setting(
                            "normalize-queries-and-keys",
                            "false",
                            "whether queries and keys are normalized, each head for itself"),
                    new Setting("output-projection", "true", "whether there is an output matrix"),
                    new Setting("biases", "true", "whether queries, keys, values and outputs have biases")));

    private static final Section FEED_FORWARD = Section.of(
            "feed-forward",
            List.of(
                    new Setting(
                            "hidden",
                            "",
                            "columns between the two maps; 0 for no feed-forward; 4 width by" + " default"),
                    new Setting("activation", "gelu", "`relu`, `gelu`, `tanh-gelu` or `cosine`"),
                    new Setting("first-bias", "true", "whether the first map has a bias"),
                    new Setting("second-bias", "true", "whether the second map has a bias")));

    private static final Section NORMALIZATION = Section.of(
            "normalization",
            List.of(
                    new Setting(
                            "placement",
                            "pre",
                            "`none`, `pre` (before each part, and at the end), `post` (after each sum) or `inner` (in"
                                    + " the"
                                    + " feed-forward, after its first map)"),
                    new Setting("kind", "layer", "`layer` or `root-mean-square`, of queries and keys, too"),
                    new Setting("epsilon", "1e-5", "added to the mean square"),
                    new Setting("gain", "true", "whether there are trained factors of the columns"),
                    new Setting(
                            "shift",
                            "",
                            "whether there are trained terms of the columns; by default true for `layer` and false for"
                                    + " `root-mean-square`")));

    private static final Section OUTPUT = Section.of(
            "output",
            List.of(
                    new Setting("kind", "next-token", "`next-token`, or `regression`: a number at the last position"),
                    new Setting(
                            "tied",
                            "",
                            "whether the token embedding is the unembedding, too; by default true, but for"
                                    + " `regression`, which cannot have it, and `mu-p`"),
                    new Setting("bias", "false", "whether outputs have a bias")));

    private static final Section MODEL = Section.of(
            "model",
            List.of(
                    new Setting("width", "", "columns of the residual stream; must be given"),
                    new Setting("layers", "", "number of layers; must be given"),
                    new Setting(
                            "max-length",
                            "",
                            "positions that the model has; by default those of the task's sequences, `<start>`"
                                    + " included, or of the longest in `evaluation` where there is no table of them"),
                    new Setting("residual", "true", "whether parts add to the stream, or replace it"),
                    new Setting("dropout", "0", "the probability with which an element is dropped in training")),
            POSITIONS,
            ATTENTION,
            FEED_FORWARD,
            NORMALIZATION,
            OUTPUT);

    private static final Section INITIALIZATION = Section.of(
            "initialization",
            List.of(
                    new Setting(
                            "kind",
                            "gpt-2",
                            "`gpt-2`: normal matrices and tables, those that write to the stream narrower by the root"
                                    + " of their"
                                    + " number; `mean-field`: variances of 1 over the inputs' number; `mu-p`: widths"
                                    + " that"
                                    + " share their best rates, with scores divided by the head width, an untied"
                                    + " unembedding, and rates of `adam` and `adamw` divided by the inputs' number for"
                                    + " maps"),
                    new Setting("standard-deviation", "0.02", "of the normal numbers of `gpt-2`"),
                    new Setting("zero-readout", "false", "whether the unembedding of `mu-p` begins at 0"),
                    new Setting(
                            "positions",
                            "drawn",
                            "`drawn` as the rest, or the fixed table `sinusoidal` or `one-hot`; freeze it by a"
                                    + " group"),
                    Setting.implied(
                            "tokens",
                            "drawn",
                            "`drawn` as the rest, or `signs`: 1 in all columns for the first token, -1 for the second"
                                    + " and last; freeze it by a group"),
                    Setting.implied(
                            "values",
                            "drawn",
                            "`drawn` as the rest, or `identity` for the value matrices; freeze it by a group")));

    private static final Section OPTIMIZER = Section.of(
            "optimizer",
            List.of(
                    new Setting("kind", "adamw", "`sgd`, `adam` or `adamw`"),
                    new Setting("learning-rate", "1e-3", "the rate that the schedule multiplies"),
                    new Setting("betas", "[0.9, 0.999]", "decay rates of the two moments, of `adam` and `adamw`"),
                    new Setting("epsilon", "1e-8", "added to the root of the second moment, of `adam` and `adamw`"),
                    new Setting("momentum", "0", "momentum of `sgd`"),
                    new Setting("nesterov", "false", "whether `sgd` with momentum looks ahead"),
                    new Setting("weight-decay", "", "by default 0.01 for `adamw`, where it is decoupled, else 0"),
                    new Setting("decay-vectors", "false", "whether biases, gains and shifts are decayed, too"),
                    new Setting(
                            "clipping",
                            "none",
                            "what the norm of the gradient of all trained parameters is clipped to")),
            Section.repeated(
                    "groups",
                    List.of(
                            new Setting(
                                    "match",
                                    "",
                                    "a glob over parameter names, such as `layer.*.query`; the first group that"
                                            + " matches a"
                                            + " parameter has it"),
                            new Setting(
                                    "learning-rate",
                                    "",
                                    "by default the optimizer's, with the factor of `mu-p`; given, it is taken as it"
                                            + " is"),
                            new Setting(
                                    "weight-decay",
                                    "",
                                    "by default the optimizer's; given, it holds for vectors," + " too"),
                            new Setting("frozen", "false", "whether these parameters stay as they are"))));

    private static final Section SCHEDULE = Section.of(
            "schedule",
            List.of(
                    new Setting("kind", "constant", "`constant`, `cosine` or `step`"),
                    new Setting("warm-up", "0", "steps on the line from 0 to the full rate"),
                    new Setting("steps", "", "steps of `cosine`; by default all after the warm-up"),
                    new Setting("floor", "0", "last rate over the first, of `cosine`"),
                    new Setting("every", "", "steps with one rate, of `step`, which must be given"),
                    new Setting("ratio", "0.1", "a rate over the one before, of `step`")));

    private static final Section EVALUATION = Section.of(
            "evaluation",
            List.of(
                    new Setting("every", "100", "steps from one evaluation to the next; 0 for one at the end alone"),
                    new Setting(
                            "completions",
                            "0",
                            "prefixes of words like those trained on that the model completes, as `decoding` says: the"
                                    + " rate of valid words; for tasks of brackets"),
                    new Setting(
                            "deeper",
                            "none",
                            "as many prefixes again that are nested at least so deeply, drawn without the task's"
                                    + " limit of"
                                    + " depth"),
                    Setting.implied(
                            "completion-lengths",
                            "",
                            "list of lengths: as many prefixes again of words of each length, completed to it; the"
                                    + " model needs as many positions"),
                    Setting.implied(
                            "unseen",
                            "false",
                            "whether as many prefixes again are completed that are of words of the task of which none"
                                    + " is in the training set, which has to be one of distinct words"),
                    Setting.implied(
                            "distinct", "false", "whether prefixes that are deeper or unseen are pairwise distinct"),
                    Setting.implied(
                            "decoding",
                            "greedy",
                            "how prefixes are completed and questions answered: `greedy`, or `sampled` at temperature"
                                    + " 1"),
                    Setting.implied(
                            "questions",
                            "0",
                            "expressions of each kind that the model simplifies: the rate of right answers; for"
                                    + " Boolean expressions"),
                    Setting.implied(
                            "question-depths",
                            "",
                            "list of the largest depths of their clauses; by default the task's `q`"),
                    Setting.implied("trials", "100", "sampled completions of each of the `contexts`, at the end"),
                    Setting.implied(
                            "spectrum",
                            "0",
                            "eigenvalues and singular values of the last layer's value times output matrix (its"
                                    + " projection), the largest ones, at the end; 0 for none"),
                    Setting.implied(
                            "position-clusters",
                            "0",
                            "clusters of the columns of the position table, summed up from the first row on, at the"
                                    + " end; 0 for none"),
                    Setting.implied(
                            "lengths",
                            "",
                            "list of lengths: the mean loss on fresh sequences of each, at the end; the model needs as"
                                    + " many positions"),
                    Setting.implied(
                            "tolerance",
                            "none",
                            "what a right answer differs from the value by at most: the share of right ones of each"
                                    + " length; for answers that are numbers"),
                    Setting.implied(
                            "attention",
                            "0",
                            "length of fresh sequences of whose last position the attention weights are measured, at"
                                    + " the end; 0 for none"),
                    Setting.implied("sequences", "1024", "fresh sequences of each such length, at least 2")),
            Section.named(
                    "contexts",
                    List.of(new Setting(
                            "prefix",
                            "",
                            "for a name: brackets, or how many brackets of the first training word; it may stand"
                                    + " alone: `deep: '((('`"))));

    private static final Section STOP = Section.of(
            "stop",
            List.of(
                    new Setting("loss", "none", "the run ends when the loss of a step is below it"),
                    new Setting(
                            "patience",
                            "none",
                            "the run ends after so many evaluations without a better validation" + " loss")));

    private static final Section CHECKPOINT = Section.of(
            "checkpoint",
            List.of(new Setting(
                    "every",
                    "1000",
                    "steps from one checkpoint to the next; 0 for none but at the end," + " or when interrupted")));

    /** What is rounded, in training and in a policy file. */
    public static final Section PRECISION = Section.of(
            "precision",
            List.of(
                    new Setting(
                            "format",
                            "none",
                            "what every tensor of a forward pass is rounded to: a number format, or `none`"),
                    new Setting(
                            "sums",
                            "false",
                            "whether every product and every addition of a sum is rounded to `format`, too"),
                    new Setting(
                            "mode",
                            "TiesToEven",
                            "`TiesToEven`, `TiesToAway`, `TowardZero`, `TowardPositive`, `TowardNegative`, `ToOdd` or"
                                    + " `Stochastic`"),
                    new Setting(
                            "subnormals",
                            "true",
                            "whether numbers below the smallest normal one are kept, or become 0; blocks keep them"),
                    new Setting(
                            "saturate",
                            "false",
                            "whether what overflows becomes the largest number; blocks need it not"),
                    new Setting(
                            "seed",
                            "1",
                            "what the random words of `Stochastic` follow from, with site, layer and step"),
                    new Setting(
                            "loss-scale",
                            "1",
                            "power of two: factor of the loss, by which gradients are divided again before the step")),
            Section.named(
                    "sites",
                    List.of(
                            new Setting(
                                    "format",
                                    "",
                                    "the format of one site, by default `format` above; it may stand alone:"
                                            + " `scores: binary32`"),
                            new Setting("mode", "", "by default `mode` above"),
                            new Setting("subnormals", "", "by default `subnormals` above"),
                            new Setting("saturate", "", "by default `saturate` above"))));

    /** The whole configuration. */
    public static final Section TRAINING = Section.of(
            "",
            List.of(
                    new Setting("seed", "1", "what everything random follows from"),
                    new Setting("threads", "all", "threads to compute on; the results do not depend on it"),
                    new Setting("steps", "", "steps of the optimizer, at most; must be given"),
                    new Setting("batch", "32", "examples of a gradient"),
                    new Setting("accumulate", "1", "batches of a step, whose gradients are averaged"),
                    new Setting("curve", "10", "steps from one line of curve.jsonl to the next")),
            TASK,
            DATA,
            MODEL,
            INITIALIZATION,
            OPTIMIZER,
            SCHEDULE,
            PRECISION,
            EVALUATION,
            STOP,
            CHECKPOINT);

    private TrainingSections() {}
}
