package majority;

import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.model.*;
import org.lemmata.setting.Settings;
import org.lemmata.source.*;
import org.lemmata.token.Vocabulary;

/** Logits (-X, X), X = v (ones - zeros) / length: the minority gets less than epsilon if v > n/2 ln(1/epsilon - 1). */
final class MajorityHead extends Construction {
    static final Source SOURCE = new Source(new Paper("majority", "Doe", 2026, "Majorities"), "lemma 1");
    static final String SETTINGS = "n | 9 | the longest words, 1 to 15\nepsilon | 0.01 | within (0, 1/2)\n";
    final int n;
    final double epsilon;
    private final int v;

    MajorityHead(Settings settings) {
        super(SOURCE, new Vocabulary(List.of("0", "1")));
        n = settings.requiredInteger("n", 1, 15);
        epsilon = settings.requiredReal("epsilon");
        Refuse.when(!(epsilon > 1e-9 && epsilon < 0.5), "epsilon", "a number within (1e-9, 1/2)", epsilon);
        v = (int) Math.ceil(n / 2.0 * Math.log(1 / epsilon - 1)) + 1;
    }

    @Override public ExactParameters build() {
        var weights = new ExactParameters(Architecture.uniformHead(2, n, 1, false));
        weights.set(ParameterRole.TOKEN_EMBEDDING, 0, 0, -1);
        weights.set(ParameterRole.TOKEN_EMBEDDING, 1, 0, 1);
        weights.set(ParameterRole.VALUE, 0, 0, 0, v);
        return weights;
    }

    /** Sums, up to n v, are exact; the division is off by less than the 1 that v has to spare. */
    @Override public Demand demand() {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(n * v) + 2;
        return new Demand(bits, bits, Math.min(1, (double) v / n), n * v, "sums to " + n * v);
    }
}
