package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineIdentityTest {

    @Test
    void readsTheFirstModelNameOfCpuInfo() {
        List<String> cpuInfo = List.of(
                "processor\t: 0",
                "model\t\t: 85",
                "model name\t: Example(R)  CPU @ 2.50GHz",
                "cpu family\t: 6",
                "stepping\t: 7",
                "processor\t: 1",
                "model name\t: Another");
        assertThat(MachineIdentity.cpuModel(cpuInfo, "amd64"))
                .isEqualTo("Example(R) CPU @ 2.50GHz (family 6, model 85, stepping 7)");
        assertThat(MachineIdentity.cpuModel(List.of("model name : Arm"), "aarch64"))
                .isEqualTo("Arm");
    }

    @Test
    void fallsBackToTheArchitectureAndThenToUnknown() {
        assertThat(MachineIdentity.cpuModel(List.of("processor\t: 0", "model name\t:"), "aarch64"))
                .isEqualTo("aarch64");
        assertThat(MachineIdentity.cpuModel(List.of(), "")).isEqualTo("unknown");
    }

    @Test
    void keepsTheFlagsThatChangeSpeedAndDropsAgentsAndUserProperties() {
        assertThat(MachineIdentity.flagsThatMatter(List.of(
                        "-Xmx2g",
                        "-javaagent:agent.jar",
                        "--add-modules=jdk.incubator.vector",
                        "-Duser.secret=1",
                        "-XX:UseAVX=2",
                        "-Djdk.incubator.vector.VECTOR_ACCESS_OOB_CHECK=0")))
                .containsExactly(
                        "-Xmx2g",
                        "--add-modules=jdk.incubator.vector",
                        "-XX:UseAVX=2",
                        "-Djdk.incubator.vector.VECTOR_ACCESS_OOB_CHECK=0");
    }

    @Test
    void currentNamesThisJvm() {
        MachineIdentity identity = MachineIdentity.current("256 bits");
        assertThat(identity.simd()).isEqualTo("256 bits");
        assertThat(identity.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(identity.jdk()).contains(Runtime.version().toString()).contains(System.getProperty("java.vendor"));
        assertThat(identity.cpu()).isNotBlank();
        assertThat(identity.memoryBytes()).isPositive();
    }
}
