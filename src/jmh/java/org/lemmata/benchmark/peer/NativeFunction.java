package org.lemmata.benchmark.peer;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Functions of the C library and of the native libraries that this JVM has loaded. */
public final class NativeFunction {

    /** A limit that exceeds every description that a library returns. */
    private static final long MAX_TEXT_BYTES = 4096;

    private NativeFunction() {}

    /**
     * The function with a name. Callers should store it in a {@code static final} field, so that calls compile to plain
     * calls.
     */
    @SuppressWarnings("restricted") // A wrong descriptor crashes the JVM, so each is next to its C declaration.
    public static MethodHandle of(String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        MemorySegment address = SymbolLookup.loaderLookup()
                .find(name)
                .or(() -> linker.defaultLookup().find(name))
                .orElseThrow(() -> new IllegalStateException(name + ": expected it in a library that is loaded"));
        return linker.downcallHandle(address, descriptor);
    }

    /** Calls {@code void name(int)}. */
    static void call(String name, int argument) {
        try {
            of(name, FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)).invokeExact(argument);
        } catch (Throwable failure) {
            throw failed(name, failure);
        }
    }

    /** Calls {@code char *name(void)}. */
    @SuppressWarnings("restricted") // The length of the text is unknown before reading it.
    static String text(String name) {
        try {
            var text = (MemorySegment)
                    of(name, FunctionDescriptor.of(ValueLayout.ADDRESS)).invokeExact();
            return text.reinterpret(MAX_TEXT_BYTES).getString(0);
        } catch (Throwable failure) {
            throw failed(name, failure);
        }
    }

    /** Sets a variable for libraries that read it while loading. Java's own copy of the environment does not change. */
    public static void setEnvironment(String variable, String value) {
        FunctionDescriptor setenv = FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            int code =
                    (int) of("setenv", setenv).invokeExact(arena.allocateFrom(variable), arena.allocateFrom(value), 1);
            if (code != 0) {
                throw new IllegalStateException("expected 0, got " + code);
            }
        } catch (Throwable failure) {
            throw failed("setenv", failure);
        }
    }

    public static IllegalStateException failed(String name, Throwable failure) {
        return new IllegalStateException("call of " + name, failure);
    }
}
