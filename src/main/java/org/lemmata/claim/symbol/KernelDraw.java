package org.lemmata.claim.symbol;

import java.util.Map;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Scope;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/**
 * Parameters of K_trans for statements that hold for almost all values. They are random unless a user gives them.
 *
 * @param given a claim's settings, which may include {@link #OF_ATTENTION} and {@link #OF_LINK}
 */
record KernelDraw(Settings given) {

    static final String OF_ATTENTION = """
        beta | (0, 4]; stated [1/4, 4] | | of the attention kernel; drawn from 0.25 to 1 by default
        gamma | [0, 4]; stated [1/4, 4] | | of the attention kernel; drawn from 0.25 to 1.5 by default
        """;

    static final String OF_LINK = """
        b1 | (0, 8]; stated [1/4, 4] | | of the cosine; drawn from 0.5 to 2 by default
        b2 | [0, 7] | | of the cosine; drawn from 0 to pi by default
        """;

    static final KernelDraw ANY = new KernelDraw(new Settings(Setting.numbers(OF_ATTENTION + OF_LINK), Map.of()));

    AttentionKernel kernel(double tolerance, RandomGenerator random) {
        return kernel(random.nextDouble(0.25, 1), tolerance, random);
    }

    AttentionKernel kernel(double beta, double tolerance, RandomGenerator random) {
        return new AttentionKernel(value("beta", beta), value("gamma", random.nextDouble(0.25, 1.5)), tolerance);
    }

    CosineLink link(RandomGenerator random) {
        return new CosineLink(value("b1", random.nextDouble(0.5, 2)), value("b2", random.nextDouble(0, Math.PI)));
    }

    /** A setting with its value, or with the range from which it is drawn. */
    static String text(Scope scope, String name, String drawn) {
        return name + " " + scope.settings().text(name).orElse(drawn);
    }

    double value(String name, double otherwise) {
        return given.hasAny(name) ? given.number(name) : otherwise;
    }
}
