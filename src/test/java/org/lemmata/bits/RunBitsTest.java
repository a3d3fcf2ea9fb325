package org.lemmata.bits;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.lemmata.cli.CommandLineRun;

/** Bits of the output of {@code run} for every construction, in several formats. */
class RunBitsTest {

    private static final String BRACKETS = "(\n\n(((\n(())()\n()(\n";

    private static final String TOKENS = "to\nto be or not\n\nbe that\n";

    private static final String LENGTHS = "0 0 1 2 2\n2\n1 1 1 0 2 0 1\n0\n";

    private static final String DIGITS = "1 1 0 0 1 0 1\n0 1 0 1 1 1 0 0 1 1\n1 1 1\n";

    @Test
    void bitsAreThoseRecorded() throws IOException {
        Recording.check("run", recording -> {
            run(recording, BRACKETS, "dyck-completion", "-p", "word=(())()");
            run(recording, BRACKETS, "dyck-completion", "-p", "word=()()()", "-p", "gamma=0.3", "-p", "v=40");
            run(recording, BRACKETS, "dyck-completion", "-p", "word=(()())", "-p", "v=-20", "-p", "sample=true");
            for (String format : new String[] {"binary32", "binary16", "bfloat16", "binary64", "threshold(20)"}) {
                run(recording, BRACKETS, "dyck-completion", "-p", "word=(()())", "--format", format);
            }
            run(recording, BRACKETS, "dyck-completion", "-p", "word=(()())", "--format", "bfloat16", "--sums");
            run(recording, BRACKETS, "dyck-completion-without-positions", "-p", "N=4");
            run(recording, "(2 (1\n(1 (2\n\n(1 )1\n", "dyck-completion-of-types", "-p", "word=(1 (2 )2 (1 )1 )1");
            String[] memorizers = {"sequence-memorization", "sequence-memorization-by-projection"};
            for (String memorizer : memorizers) {
                run(recording, TOKENS, memorizer, "-p", "sequence=to be or not to be", "-p", "others=that is");
            }
            run(recording, LENGTHS, "simple-task", "-p", "omega=2", "-p", "knots=17");
            run(recording, LENGTHS, "simple-task", "-p", "bits=24", "--format", "binary32");
            run(recording, DIGITS, "mod-p-task", "-p", "period=3", "-p", "index=1");
            run(recording, DIGITS, "mod-p-task", "-p", "period=3", "-p", "bits=8", "--format", "bfloat16");
        });
    }

    private static void run(Recording recording, String input, String... words) {
        String[] arguments = new String[words.length + 1];
        arguments[0] = "run";
        System.arraycopy(words, 0, arguments, 1, words.length);
        CommandLineRun run = CommandLineRun.withInput(input, arguments);
        recording.add(String.join(" ", words), new Bits().add(run.out()).add(run.code()));
    }
}
