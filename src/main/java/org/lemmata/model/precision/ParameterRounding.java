package org.lemmata.model.precision;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.number.TensorRounding;

/** Rounds arrays in the layout of the parameters at one site of a policy. Blocks run along rows of matrices. */
public final class ParameterRounding {

    /** The distance between the random streams of two arrays of a site. It exceeds the number of roles. */
    private static final int ROLES = 32;

    private final List<ParameterView> views;
    private final PrecisionPolicy policy;
    private final PrecisionSite site;
    /** The number of the random stream of each view. */
    private final int[] uses;

    private final Quantization quantization;
    private final @Nullable TensorRounding rounding;
    private final Matrix ofY = Matrix.empty();
    private final Matrix ofX = Matrix.empty();

    /**
     * @param views the parameters to round
     * @param array the number of the array at this site: 0, or 1 for second moments
     */
    public ParameterRounding(
            List<ParameterView> views, PrecisionPolicy policy, PrecisionSite site, int array, Quantization kernel) {
        this.views = List.copyOf(views);
        this.policy = policy.requireBinary32();
        this.site = site;
        int first = (site == PrecisionSite.GRADIENTS ? PassRounding.PARAMETER_GRADIENTS : 0) + array * ROLES;
        List<ParameterRole> roles = List.of(ParameterRole.values());
        uses = views.stream()
                .mapToInt(view -> first + roles.indexOf(view.role()))
                .toArray();
        quantization = kernel;
        rounding = policy.active(site);
    }

    public boolean isNone() {
        return rounding == null;
    }

    /** Sets {@code y} to the rounded {@code x}, with the random words of a step; does nothing if {@link #isNone}. */
    public void round(float[] y, float[] x, long step) {
        if (rounding == null) {
            return;
        }
        for (int i = 0; i < views.size(); i++) {
            ParameterView view = views.get(i);
            ofY.at(y, view.offset(), view.rows(), view.columns(), view.columns());
            ofX.at(x, view.offset(), view.rows(), view.columns(), view.columns());
            quantization.round(ofY, ofX, rounding, policy.stream(site, view.layer(), uses[i], step));
        }
    }
}
