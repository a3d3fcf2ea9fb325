package org.lemmata.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * k-means clustering by Lloyd's algorithm, started by k-means++; the best of several starts. Each point belongs to the
 * nearest of k centres, and each centre is the mean of its points.
 *
 * <p>Sources: Lloyd (1982), Least squares quantization in PCM; Arthur and Vassilvitskii (2007), k-means++: the
 * advantages of careful seeding.
 */
public final class KMeans {

    private static final int STARTS = 10;

    /** Limit for the number of steps. The iteration would also end without it, because no assignment repeats. */
    private static final int MOST_STEPS = 1000;

    private final double[][] centres;
    private final int[] assignment;
    private double inertia = Double.POSITIVE_INFINITY;

    private KMeans(double[][] centres, int points) {
        this.centres = centres;
        assignment = new int[points];
        Arrays.fill(assignment, -1);
    }

    /**
     * Clusters points.
     *
     * @param points points of equal dimension
     * @param k the number of clusters, from 1 to the number of points; fewer result if there are fewer distinct points
     */
    public static KMeans of(List<double[]> points, int k, RandomGenerator random) {
        Refuse.when(k < 1 || k > points.size(), "k", "1 to " + points.size() + ", the number of points", k);
        KMeans best = new KMeans(start(points, k, random), points.size());
        best.run(points);
        for (int i = 1; i < STARTS; i++) {
            var other = new KMeans(start(points, k, random), points.size());
            other.run(points);
            best = other.inertia < best.inertia ? other : best;
        }
        return best;
    }

    /**
     * Chooses initial centres among the points: the first uniformly, each other one with probability proportional to
     * its squared distance from the nearest earlier centre.
     */
    private static double[][] start(List<double[]> points, int k, RandomGenerator random) {
        var centres = new ArrayList<double[]>();
        centres.add(points.get(random.nextInt(points.size())).clone());
        double[] distances = new double[points.size()];
        Arrays.fill(distances, Double.POSITIVE_INFINITY);
        while (centres.size() < k) {
            double total = 0;
            for (int i = 0; i < distances.length; i++) {
                distances[i] = Math.min(distances[i], squaredDistance(points.get(i), centres.getLast()));
                total += distances[i];
            }
            if (total == 0) {
                break;
            }
            double left = random.nextDouble() * total;
            int chosen = -1;
            for (int i = 0; i < distances.length && left >= 0; i++) {
                if (distances[i] > 0) {
                    chosen = i;
                    left -= distances[i];
                }
            }
            centres.add(points.get(chosen).clone());
        }
        return centres.toArray(double[][]::new);
    }

    private void run(List<double[]> points) {
        for (int step = 0; step < MOST_STEPS && assign(points); step++) {
            move(points);
        }
    }

    /**
     * Assigns each point to its nearest centre, or to the first of equally near ones. Returns whether any assignment
     * changed.
     */
    private boolean assign(List<double[]> points) {
        boolean changed = false;
        inertia = 0;
        for (int i = 0; i < assignment.length; i++) {
            int nearest = 0;
            double minimum = Double.POSITIVE_INFINITY;
            for (int c = 0; c < centres.length; c++) {
                double distance = squaredDistance(points.get(i), centres[c]);
                if (distance < minimum) {
                    minimum = distance;
                    nearest = c;
                }
            }
            changed |= assignment[i] != nearest;
            assignment[i] = nearest;
            inertia += minimum;
        }
        return changed;
    }

    /** Moves each centre to the mean of its points. A centre without points stays. */
    private void move(List<double[]> points) {
        for (int c = 0; c < centres.length; c++) {
            int size = size(c);
            if (size > 0) {
                double[] mean = new double[centres[c].length];
                for (int i = 0; i < assignment.length; i++) {
                    for (int j = 0; assignment[i] == c && j < mean.length; j++) {
                        mean[j] += points.get(i)[j];
                    }
                }
                for (int j = 0; j < mean.length; j++) {
                    centres[c][j] = mean[j] / size;
                }
            }
        }
    }

    private static double squaredDistance(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += (a[j] - b[j]) * (a[j] - b[j]);
        }
        return sum;
    }

    public int count() {
        return centres.length;
    }

    public double[] centre(int cluster) {
        return centres[cluster].clone();
    }

    public int size(int cluster) {
        return (int) Arrays.stream(assignment).filter(c -> c == cluster).count();
    }

    public int clusterOf(int point) {
        return assignment[point];
    }

    /** The sum of the squared distances of all points from the centres of their clusters. */
    public double inertia() {
        return inertia;
    }
}
