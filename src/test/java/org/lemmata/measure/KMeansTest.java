package org.lemmata.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KMeansTest {

    private static List<double[]> points(int count, int dimension, Random random) {
        return Stream.generate(() -> random.doubles(dimension).toArray())
                .limit(count)
                .toList();
    }

    /** The minimum over all partitions into at most k clusters, each with its mean as centre. */
    private static double minimum(List<double[]> points, int k) {
        double minimum = Double.POSITIVE_INFINITY;
        int[] parts = new int[points.size()];
        for (long code = 0; code < Math.pow(k, points.size()); code++) {
            long rest = code;
            for (int i = 0; i < parts.length; i++) {
                parts[i] = (int) (rest % k);
                rest /= k;
            }
            double inertia = IntStream.range(0, k)
                    .mapToDouble(c -> inertia(points, parts, c))
                    .sum();
            minimum = Math.min(minimum, inertia);
        }
        return minimum;
    }

    private static double inertia(List<double[]> points, int[] parts, int cluster) {
        double sum = 0;
        for (int j = 0; j < points.getFirst().length; j++) {
            int column = j;
            double[] own = IntStream.range(0, parts.length)
                    .filter(i -> parts[i] == cluster)
                    .mapToDouble(i -> points.get(i)[column])
                    .toArray();
            double mean = Arrays.stream(own).average().orElse(0);
            for (double x : own) {
                sum += (x - mean) * (x - mean);
            }
        }
        return sum;
    }

    /** For these 9 points, ten starts find the best partition; for others, the result is at least consistent. */
    @Tag("long")
    @Test
    void findsTheBestPartitionOfFewPoints() {
        for (long seed = 1; seed <= 20; seed++) {
            var random = new Random(seed);
            List<double[]> points = points(9, 2, random);
            KMeans clusters = KMeans.of(points, 3, random);
            assertThat(clusters.inertia()).as("seed %d", seed).isCloseTo(minimum(points, 3), within(1e-12));
            int[] parts = IntStream.range(0, 9).map(clusters::clusterOf).toArray();
            double own = IntStream.range(0, 3)
                    .mapToDouble(c -> inertia(points, parts, c))
                    .sum();
            assertThat(clusters.inertia()).as("seed %d", seed).isCloseTo(own, within(1e-12));
            assertThat(IntStream.range(0, 3).map(clusters::size).sum()).isEqualTo(9);
        }
    }

    @Test
    void findsWhatLiesApartWithItsMeansAndSizes() {
        List<double[]> points = List.of(
                new double[] {0, 0}, new double[] {10, 0}, new double[] {0, 2}, new double[] {12, 0}, new double[] {
                    11, 3
                });
        KMeans clusters = KMeans.of(points, 2, new Random(1));
        int left = clusters.clusterOf(0);
        int right = clusters.clusterOf(1);
        assertThat(left).isNotEqualTo(right);
        assertThat(clusters.centre(left)).containsExactly(0, 1);
        assertThat(clusters.centre(right)).containsExactly(11, 1);
        assertThat(clusters.size(left)).isEqualTo(2);
        assertThat(clusters.size(right)).isEqualTo(3);
        assertThat(clusters.inertia()).isEqualTo(2 + 2 + 6);
    }

    @Test
    void fewerDifferentPointsMakeFewerClusters() {
        List<double[]> points = List.of(new double[] {1}, new double[] {1}, new double[] {4});
        KMeans clusters = KMeans.of(points, 3, new Random(1));
        assertThat(clusters.count()).isEqualTo(2);
        assertThat(clusters.inertia()).isZero();
        assertRefused(() -> KMeans.of(points, 4, new Random(1)), "k: expected 1 to 3, the number of points, got 4");
    }
}
