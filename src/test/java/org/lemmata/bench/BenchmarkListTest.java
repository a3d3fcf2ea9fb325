package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchmarkListTest {

    /** Lines that JMH 1.37 wrote, after a line of another form. */
    private static final BenchmarkList LIST = BenchmarkList.of("""
        # a line of another version
        JMH S 43 org.lemmata.kernel.softmax.SoftmaxBenchmark S 72 org.lemmata.kernel.softmax.jmh_generated.SoftmaxBenchmark_scalar_jmhTest S 6 scalar S 10 Throughput E A 1 1 1 E I 1 2 T 6 200 ms E I 1 3 T 6 200 ms E I 1 1 E E E E L 1 7 -Xbatch M 3 7 columns 1 16 xAAMAIDA0AA===== 4 rows 1 8 0AA===== 7 threads 1 8 xAA===== U 7 SECONDS E E\s
        JMH S 40 org.lemmata.sweep.SweepOverheadBenchmark S 73 org.lemmata.sweep.jmh_generated.SweepOverheadBenchmark_emptyCells_jmhTest S 10 emptyCells S 11 AverageTime E A 1 1 1 E I 1 3 T 6 500 ms E I 1 4 T 6 500 ms E I 1 1 E E E E E M 1 5 cores 2 8 xAA===== 8 yAA===== U 12 MILLISECONDS I 3 100 E\s
        JMH S 3 a.B S 1 G S 4 once S 14 SingleShotTime I 1 4 A 2 1 1 1 3 E E E E E E E E E S 1 j L 2 2 -a 4 -b c E E E E E E\s
        JMH S 3 a.B S 1 G S 4 many S 10 SampleTime E A 1 1 1 E E E E E E E E E E E E E E E E E\s
        JMH S 3 a.B S 1 G S 4 many S 11 AverageTime E A 1 1 1 E E E E E E E E E E E E E E E E E\s
        JMH S 3 a.B S 1 G S 4 torn S 99 Thr
        """);

    private static BenchmarkList.Entry entry(String benchmark) {
        return LIST.entry(benchmark).orElseThrow();
    }

    @Test
    void readsWhatJmhWrote() {
        BenchmarkList.Entry scalar = entry("org.lemmata.kernel.softmax.SoftmaxBenchmark.scalar");
        assertThat(scalar.settings())
                .containsEntry("-bm", "Throughput")
                .containsEntry("-t", "1")
                .containsEntry("-wi", "2")
                .containsEntry("-w", "200ms")
                .containsEntry("-i", "3")
                .containsEntry("-bs", "1")
                .containsEntry("-jvmArgsAppend", "-Xbatch")
                .containsEntry("-tu", "SECONDS");
        assertThat(scalar.values())
                .containsOnlyKeys("columns", "rows", "threads")
                .containsEntry("rows", 1);
        BenchmarkList.Entry sweep = entry("org.lemmata.sweep.SweepOverheadBenchmark.emptyCells");
        assertThat(sweep.settings()).containsEntry("-tu", "MILLISECONDS").containsEntry("-jvmArgsAppend", "");
        assertThat(sweep.values()).containsEntry("cores", 2);
    }

    @Test
    void knowsTheDefaultsOfEachMode() {
        assertThat(entry("a.B.once").settings())
                .containsEntry("-t", "4")
                .containsEntry("-tg", "1 3")
                .containsEntry("-wi", "0")
                .containsEntry("-w", "")
                .containsEntry("-i", "1")
                .containsEntry("-jvm", "j")
                .containsEntry("-jvmArgs", "-a -b c");
        assertThat(entry("a.B.many").settings())
                .containsEntry("-bm", "AverageTime,SampleTime")
                .containsEntry("-wi", "5")
                .containsEntry("-w", "10s")
                .containsEntry("-r", "10s");
    }

    @Test
    void leavesOutWhatItCannotRead() {
        assertThat(LIST.entry("a.B.torn")).isEmpty();
        assertThat(BenchmarkList.of("").entry("a.B.many")).isEmpty();
    }
}
