package majority;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.claim.*;
import org.lemmata.setting.Setting;
import org.lemmata.token.Batch;

/** That a {@link MajorityHead} decides the majority of every word of odd length up to n. */
public final class MajorityClaims implements ClaimProvider {
    @Override public List<Claim> claims() {
        return List.of(ComputedClaim.asStated("majority.head", MajorityHead.SOURCE,
                        "After each word of odd length up to n, the bit of the minority has at most probability epsilon.")
                .settings(Setting.table(MajorityHead.SETTINGS))
                .range(scope -> "every word of odd length up to " + new MajorityHead(scope.settings()).n)
                .test(MajorityClaims::check));
    }

    private static Finding check(Scope scope, Computation computation) {
        var head = new MajorityHead(scope.settings());
        var model = computation.model(head);
        var tally = new Tally();
        for (int length = 1; length <= head.n; length += 2) {
            int bits = length;
            List<int[]> words = IntStream.range(0, 1 << length)
                    .mapToObj(word -> IntStream.range(0, bits).map(i -> word >> i & 1).toArray()).toList();
            double[] logits = model.lastLogits(Batch.of(words));
            var minorities = tally.atMost("minority, length " + length, "probability", head.epsilon);
            for (int i = 0; i < words.size(); i++) {
                int minority = Integer.bitCount(i) > length / 2 ? 0 : 1;
                double p = 1 / (1 + Math.exp(logits[2 * i + 1 - minority] - logits[2 * i + minority]));
                String word = Integer.toBinaryString(i);
                minorities.add(p, () -> word + " of " + bits + " bits: probability " + p);
            }
        }
        return tally.finding("the bit of the minority has at most probability " + head.epsilon);
    }
}
