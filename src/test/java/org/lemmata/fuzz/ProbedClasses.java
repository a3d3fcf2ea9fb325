package org.lemmata.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/**
 * Loads Lemmata's classes with a call of {@link BlockCounts#hit} at the beginning of every basic block. The fuzzer is
 * also loaded here, but without such calls, so that it uses the probed readers.
 */
public final class ProbedClasses extends ClassLoader {

    private static final String OURS = "org.lemmata.";
    private static final String FUZZER = OURS + "fuzz.";
    private static final ClassDesc PROBES = ClassDesc.of(FUZZER + "BlockCounts");
    private static final MethodTypeDesc HIT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    /** The range of a class's blocks. */
    private record Blocks(int begin, int end) {}

    private final Map<String, Blocks> blocks = new LinkedHashMap<>();
    private int count;

    ProbedClasses() {
        super(ProbedClasses.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            return name.startsWith(OURS) && !name.equals(ProbedClasses.class.getName())
                    ? define(name)
                    : getParent().loadClass(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream stream = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (stream == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = stream.readAllBytes();
            byte[] probed = name.startsWith(FUZZER) ? bytes : probed(name, bytes);
            // The domain has the location of the classes, relative to which the program looks for files.
            return defineClass(name, probed, 0, probed.length, Refuse.class.getProtectionDomain());
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] probed(String name, byte[] bytes) {
        int begin = count;
        ClassFile file = ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);
        ClassTransform transform = ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(Probing::new));
        byte[] probed = file.transformClass(file.parse(bytes), transform);
        blocks.put(name, new Blocks(begin, count));
        return probed;
    }

    /** Inserts calls before the first instruction, after conditional branches and after labels. */
    private final class Probing implements CodeTransform {

        private boolean begins = true;

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (begins && element instanceof Instruction) {
                code.loadConstant(count++).invokestatic(PROBES, "hit", HIT);
                begins = false;
            }
            code.with(element);
            begins |= element instanceof LabelTarget
                    || (element instanceof BranchInstruction branch
                            && branch.opcode() != Opcode.GOTO
                            && branch.opcode() != Opcode.GOTO_W);
        }
    }

    /** The number of blocks of all classes loaded so far. */
    public int blocks() {
        return count;
    }

    /**
     * The blocks of some classes and their nested classes.
     *
     * @param names the names of the classes without {@code org.lemmata.}
     * @return for each block, whether it belongs to them
     */
    public boolean[] blocksOf(Iterable<String> names) {
        var marks = new boolean[BlockCounts.COUNTS.length];
        for (String name : names) {
            Path outer = directory().resolve((OURS + name).replace('.', '/') + ".class");
            String simple = outer.getFileName().toString().replace(".class", "");
            try (Stream<Path> files = Files.list(outer.getParent())) {
                for (Path file : files.sorted().toList()) {
                    String found = file.getFileName().toString();
                    if (found.equals(simple + ".class") || found.startsWith(simple + "$")) {
                        String of = (OURS + name).replaceFirst("[^.]+$", "") + found.replace(".class", "");
                        loadClass(of);
                        Blocks own = Objects.requireNonNull(blocks.get(of));
                        Arrays.fill(marks, own.begin, own.end, true);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException(name, e);
            }
        }
        return marks;
    }

    private static Path directory() {
        return Path.of(
                Refuse.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    }
}
