package org.lemmata.cli;

import java.util.List;
import java.util.stream.Collectors;
import org.lemmata.claim.ClaimResult;
import org.lemmata.cli.text.ExitCode;

/** What the verdicts of claims mean for the exit code. */
final class ClaimVerdicts {

    private ClaimVerdicts() {}

    /** 1 if a verdict is contrary to the expected one, else 3 if one was expected and not reached, else 0. */
    static int exitCode(List<ClaimResult> results) {
        int code = ExitCode.CLEAN;
        for (ClaimResult result : results) {
            if (!result.asExpected()) {
                if (!result.verdict().equals("Inconclusive")) {
                    return ExitCode.CONTRARY;
                }
                code = ExitCode.INCONCLUSIVE;
            }
        }
        return code;
    }

    /** The claims whose verdict is not the expected one, in one line. */
    static String unexpected(List<ClaimResult> results) {
        return results.stream()
                .filter(result -> !result.asExpected())
                .map(result -> result.id() + ": expected " + result.expected() + ", got " + result.verdict())
                .collect(Collectors.joining("; "));
    }
}
