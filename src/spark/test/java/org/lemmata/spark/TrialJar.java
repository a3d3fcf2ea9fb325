package org.lemmata.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.lemmata.sweep.ProbeTrial;
import org.lemmata.sweep.Trial;

/** The trials of the tests, for executors. */
final class TrialJar {

    private static final List<Class<?>> CLASSES =
            List.of(ProbeTrial.class, ProbeTrial.Behaviour.class, HaltingTrial.class);

    private TrialJar() {}

    static Path write(Path directory) throws IOException {
        Path jar = directory.resolve("trials.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : CLASSES) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = TrialJar.class.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(out);
                }
            }
            out.putNextEntry(new JarEntry("META-INF/services/" + Trial.class.getName()));
            String trials = ProbeTrial.class.getName() + "\n" + HaltingTrial.class.getName() + "\n";
            out.write(trials.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
