package org.lemmata.cli;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.lemmata.claim.ClaimResult;
import org.lemmata.cli.text.ExitCode;

/** What the verdicts of claims mean for the exit code. */
final class ClaimVerdicts {

    private ClaimVerdicts() {}

    /** 1 if a verdict is contrary to the pinned one, else 3 if a decision is pinned and none was reached, else 0. */
    static int exitCode(List<ClaimResult> results) {
        if (results.stream().anyMatch(ClaimResult::isContrary)) {
            return ExitCode.CONTRARY;
        }
        return results.stream().anyMatch(ClaimResult::isLost) ? ExitCode.INCONCLUSIVE : ExitCode.CLEAN;
    }

    /** The claims whose verdict is not the pinned one, in one line. */
    static String changed(List<ClaimResult> results) {
        return results.stream()
                .filter(ClaimResult::isChanged)
                .map(result -> result.id() + ": pinned " + pinned(result) + ", got "
                        + result.outcome().label())
                .collect(Collectors.joining("; "));
    }

    /** The word of the pinned verdict. */
    static String pinned(ClaimResult result) {
        return Objects.requireNonNull(result.pinned()).label();
    }
}
