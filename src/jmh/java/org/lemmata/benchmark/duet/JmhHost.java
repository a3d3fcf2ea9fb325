package org.lemmata.benchmark.duet;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * JMH's own process for one fork after another: to start it anew for each would take a second, and as long until what
 * it does beside an iteration is compiled.
 *
 * <p>It reads, as {@link java.io.DataOutput} writes them, the number of words, a file for what JMH prints, and JMH's
 * command line; it answers with a byte when that is done. If JMH ends the process, as it does where a benchmark fails,
 * the exit code is the answer.
 */
public final class JmhHost {

    private JmhHost() {}

    /** Until the end of the input. */
    public static void main(String... ignored) throws Exception {
        Method main = Class.forName("org.openjdk.jmh.Main").getMethod("main", String[].class);
        OutputStream answers = System.out;
        try (var requests = new DataInputStream(System.in)) {
            while (true) {
                int words = requests.readInt();
                String file = requests.readUTF();
                var arguments = new String[words - 1];
                for (int i = 0; i < arguments.length; i++) {
                    arguments[i] = requests.readUTF();
                }
                try (var text = new PrintStream(new FileOutputStream(file, true), true, StandardCharsets.UTF_8)) {
                    System.setOut(text);
                    System.setErr(text);
                    main.invoke(null, (Object) arguments);
                }
                answers.write(0);
                answers.flush();
            }
        } catch (EOFException e) {
            // Nothing more to run.
        }
    }
}
