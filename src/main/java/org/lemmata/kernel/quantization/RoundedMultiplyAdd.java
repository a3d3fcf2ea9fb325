package org.lemmata.kernel.quantization;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * y_j = sums(y_j + products(a b_j)): a number times a row, added to a row of running sums. Each site rounds the exact
 * product or sum once.
 *
 * <p>All numbers are binary32 numbers stored in binary64, where products are exact. Inexact sums are rounded to odd, so
 * that rounding them again equals rounding once. Results are narrowed to binary32, exactly if binary32 contains the
 * format. Float formats that binary32 contains are rounded with SIMD, others one element at a time. Both are
 * bit-identical to {@link Rounding#round(double, int)} and {@link Rounding#roundSum(float, float, int)}.
 *
 * <p>Rounding to odd is unnecessary if the formats are so narrow that all sums are exact in binary64. It is also
 * unnecessary in modes to nearest if y_j and the product are numbers of the sums' format, of p &lt;= 24 bits. Proof:
 * let the exact sum s differ from its binary64 neighbour m. Then the smaller operand is below 2^-28 of s, while m (if
 * it is a tie of the format) and the greater operand are multiples of 2^-24 of s. So m can be a tie only if it equals
 * the greater operand. But the greater operand is a number of the format, not a tie.
 *
 * <p>Source: Boldo and Melquiond (2008), Emulation of FMA and correctly rounded sums: proved algorithms using rounding
 * to odd, IEEE Transactions on Computers 57(4), theorem 1; the error of a sum is Knuth's TwoSum.
 */
public final class RoundedMultiplyAdd {

    private static final VectorSpecies<Double> SPECIES = VectorSpecies.of(double.class, Species.FLOAT.vectorShape());

    private static final int LANES = SPECIES.length();

    private static final int STORED_BITS = 52;
    private static final long EXPONENT = 0x7FFL << STORED_BITS;

    /**
     * The scratch arrays of a call, each with at least as many elements as the call adds.
     *
     * @param productWords the random word of product j at j if products are rounded stochastically, otherwise ignored
     * @param sumWords the random word of sum j at j if sums are rounded stochastically, otherwise ignored
     */
    @SuppressWarnings("ArrayRecordComponent") // Scratch arrays; they are never compared or printed.
    public record Space(double[] products, int[] productWords, int[] sumWords) {}

    private final Rounding products;
    private final Rounding sums;

    /** Null if products cannot be rounded on SIMD lanes. If this or {@link #sumLanes} is null, all code is scalar. */
    private final @Nullable DoubleRounding productLanes;

    /** Null if sums cannot be rounded on SIMD lanes. */
    private final @Nullable DoubleRounding sumLanes;

    /**
     * Whether rounding to binary64 never changes the result for the sum of a product and a number of the sums' format.
     */
    private final boolean sumsAreExact;

    /** Null means rounding to binary32, to nearest even. */
    public RoundedMultiplyAdd(@Nullable Rounding products, @Nullable Rounding sums) {
        Rounding binary32 = Rounding.toNearestEven(FloatFormat.BINARY32);
        this.products = products == null ? binary32 : products;
        this.sums = sums == null ? binary32 : sums;
        productLanes = DoubleRounding.of(this.products);
        sumLanes = DoubleRounding.of(this.sums);
        sumsAreExact = productLanes != null
                && sumLanes != null
                && areExact((FloatFormat) this.products.format(), (FloatFormat) this.sums.format(), this.sums.mode());
    }

    private static boolean areExact(FloatFormat products, FloatFormat sums, Rounding.Mode mode) {
        int minProduct = products.minExponent() - products.significandBits();
        int minSum = sums.minExponent() - sums.significandBits();
        // The number of bits from the last bit of the smallest number to the first bit of the largest sum.
        int bits = Math.max(products.maxExponent(), sums.maxExponent()) + 1 - Math.min(minProduct, minSum);
        boolean nearest = mode == Rounding.Mode.TIES_TO_EVEN || mode == Rounding.Mode.TIES_TO_AWAY;
        boolean contained = products.significandBits() <= sums.significandBits() && minProduct >= minSum;
        return bits <= FloatFormat.BINARY64.significandBits() || (nearest && contained);
    }

    public Rounding products() {
        return products;
    }

    public Rounding sums() {
        return sums;
    }

    /**
     * Adds to {@code y[yAt]} ... {@code y[yAt + length - 1]}.
     *
     * @param rounded whether all y_j are numbers of the sums' format, as after a call, or zeros
     * @param b from {@code b[bAt]} on; y, a and b are binary32 numbers
     */
    public void add(double[] y, int yAt, boolean rounded, double a, double[] b, int bAt, int length, Space space) {
        if (productLanes == null || sumLanes == null) {
            addOneByOne(y, yAt, a, b, bAt, length, space);
            return;
        }
        boolean exact = sumsAreExact && rounded;
        if (exact && productLanes.isPlain() && sumLanes.isPlain()) {
            int whole = length - length % LANES;
            addPlain(y, yAt, a, b, bAt, whole, productLanes, sumLanes);
            addOneByOne(y, yAt + whole, a, b, bAt + whole, length - whole, space);
            return;
        }
        productLanes.round(space.products, 0, b, bAt, a, length, space.productWords, 0);
        if (exact) {
            add(y, yAt, space.products, length);
        } else {
            addToOdd(y, yAt, space.products, length);
        }
        sumLanes.round(y, yAt, y, yAt, 1, length, space.sumWords, 0);
    }

    private void addOneByOne(double[] y, int yAt, double a, double[] b, int bAt, int length, Space space) {
        for (int j = 0; j < length; j++) {
            float product = (float) products.round(a * b[bAt + j], products.isStochastic() ? space.productWords[j] : 0);
            y[yAt + j] = sums.roundSum((float) y[yAt + j], product, sums.isStochastic() ? space.sumWords[j] : 0);
        }
    }

    /** Rounds products and sums in one loop, if both roundings are {@link DoubleRounding#isPlain}. */
    private static void addPlain(
            double[] y, int yAt, double a, double[] b, int bAt, int length, DoubleRounding first, DoubleRounding then) {
        long productMin = first.minimum;
        long productToMagic = first.toMagic;
        double productMax = first.maximum;
        double productBeyond = first.beyondPositive;
        long sumMin = then.minimum;
        long sumToMagic = then.toMagic;
        double sumMax = then.maximum;
        double sumBeyond = then.beyondPositive;
        for (int j = 0; j < length; j += LANES) {
            LongVector bits = DoubleVector.fromArray(SPECIES, b, bAt + j).mul(a).reinterpretAsLongs();
            DoubleVector magic =
                    bits.and(EXPONENT).max(productMin).add(productToMagic).reinterpretAsDoubles();
            DoubleVector product =
                    bits.and(Long.MAX_VALUE).reinterpretAsDoubles().add(magic).sub(magic);
            product = product.blend(productBeyond, product.compare(VectorOperators.GT, productMax))
                    .reinterpretAsLongs()
                    .or(bits.and(Long.MIN_VALUE))
                    .reinterpretAsDoubles();
            bits = DoubleVector.fromArray(SPECIES, y, yAt + j).add(product).reinterpretAsLongs();
            magic = bits.and(EXPONENT).max(sumMin).add(sumToMagic).reinterpretAsDoubles();
            DoubleVector sum =
                    bits.and(Long.MAX_VALUE).reinterpretAsDoubles().add(magic).sub(magic);
            sum.blend(sumBeyond, sum.compare(VectorOperators.GT, sumMax))
                    .reinterpretAsLongs()
                    .or(bits.and(Long.MIN_VALUE))
                    .reinterpretAsDoubles()
                    .intoArray(y, yAt + j);
        }
    }

    private static void add(double[] y, int yAt, double[] x, int length) {
        int j = 0;
        for (; j <= length - LANES; j += LANES) {
            DoubleVector.fromArray(SPECIES, y, yAt + j)
                    .add(DoubleVector.fromArray(SPECIES, x, j))
                    .intoArray(y, yAt + j);
        }
        for (; j < length; j++) {
            y[yAt + j] += x[j];
        }
    }

    /**
     * y = y + x, rounded to odd. If the error has the opposite sign of the sum, the sum moves one step towards 0 and
     * becomes the exact sum, truncated. The last bit of a truncated inexact sum is set to 1.
     */
    static void addToOdd(double[] y, int yAt, double[] x, int length) {
        int j = 0;
        for (; j <= length - LANES; j += LANES) {
            DoubleVector left = DoubleVector.fromArray(SPECIES, y, yAt + j);
            DoubleVector right = DoubleVector.fromArray(SPECIES, x, j);
            DoubleVector sum = left.add(right);
            DoubleVector ofRight = sum.sub(left);
            DoubleVector error = left.sub(sum.sub(ofRight)).add(right.sub(ofRight));
            LongVector bits = sum.reinterpretAsLongs();
            LongVector against = bits.lanewise(VectorOperators.XOR, error.reinterpretAsLongs())
                    .lanewise(VectorOperators.ASHR, Long.SIZE - 1);
            DoubleVector odd = bits.add(against).or(1).reinterpretAsDoubles();
            // The comparison is false for NaN, the error of an infinite sum.
            sum.blend(odd, error.abs().compare(VectorOperators.GT, 0)).intoArray(y, yAt + j);
        }
        for (; j < length; j++) {
            y[yAt + j] = sumToOdd(y[yAt + j], x[j]);
        }
    }

    private static double sumToOdd(double a, double b) {
        double sum = a + b;
        double ofB = sum - a;
        double error = (a - (sum - ofB)) + (b - ofB);
        boolean odd = (Double.doubleToRawLongBits(sum) & 1) == 1;
        if (error == 0 || Double.isNaN(error) || odd) {
            return sum;
        }
        return error > 0 ? Math.nextUp(sum) : Math.nextDown(sum);
    }
}
