package org.lemmata.benchmark.duet;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * JMH's own process, which runs one fork after another. Starting a process for each fork would take a second, and
 * compiling JMH's code around an iteration would take another second.
 *
 * <p>A request, in the format of {@link java.io.DataOutput}, consists of the number of words, a file for the output of
 * JMH, and JMH's command line. The reply is a byte, sent when JMH has finished. If JMH ends the process, which happens
 * if a benchmark fails, the exit code replaces the reply.
 */
public final class JmhHost {

    private JmhHost() {}

    /** Runs requests until the end of the input. */
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
            // There are no more requests.
        }
    }
}
