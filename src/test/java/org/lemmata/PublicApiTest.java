package org.lemmata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.token.Example;

/**
 * The public API, against which users' jars are compiled, equals a recorded file: each type without org.lemmata, and
 * below it its members. A change needs a line in docs/notes/api-log.md that ends with the digest of the file.
 */
class PublicApiTest {

    private static final String WRITE = "lemmata.api.write";

    private static final Path FILE = Path.of("src/test/resources/org/lemmata/public-api.txt");

    private static final int DIGITS = 8;

    /** The members that records or enums have implicitly. */
    private static final Set<String> IMPLICIT = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    @Test
    void aChangeIsRecordedAndLogged() throws IOException {
        String now = Files.readAllLines(FILE).stream()
                .map(line -> line.split(" ", 2)[0])
                .filter(name -> !name.isEmpty() && !name.contains("$"))
                .map(name -> text(named(name)))
                .collect(Collectors.joining());
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(FILE, now);
        }
        assertThat(Files.readString(FILE))
                .as(
                        "The public API (docs/extending.md) changed. If that is meant: mvn test -Dtest=PublicApiTest"
                                + " -D%s=true records it; then say what changed in a line of docs/notes/api-log.md that"
                                + " ends with (API %s).",
                        WRITE, digest(now))
                .isEqualTo(now);
        assertThat(Files.readString(Path.of("docs/notes/api-log.md")).contains("(API " + digest(now) + ")"))
                .as(
                        "A line of docs/notes/api-log.md says what changed in the public API, and ends with (API %s)",
                        digest(now))
                .isTrue();
    }

    @Test
    void aChangeOfAnyKindIsSeen() {
        assertThat(text(Example.class))
                .contains("token.Example final record(int[] inputs, int[] targets, float[] values, int[]"
                        + " scoredPositions)\n")
                .contains("\n  public Example(int[],int[],int[])\n")
                .contains("\n  public static Example nextToken(int...)\n")
                .contains("\n  public int length()\n")
                .doesNotContain("copyInto", "NO_VALUES", "hashCode");
        assertThat(text(org.lemmata.claim.Claim.class))
                .startsWith("claim.Claim abstract sealed interface permits ComputedClaim, FigureClaim\n")
                .contains("\n  public default String id()\n", "\n  public abstract Statement statement()\n");
        assertThat(text(org.lemmata.claim.Outcome.class)).contains("\n  public static final Outcome NOT_LEARNED\n");
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName("org.lemmata." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(FILE + ": expected the name of a public type, got " + name, e);
        }
    }

    /** The type, its members, and its nested types. */
    private static String text(Class<?> type) {
        var text = new StringBuilder(type.getName().substring("org.lemmata.".length()))
                .append(' ')
                .append(head(type))
                .append('\n');
        Stream.of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                .flatMap(Arrays::stream)
                .map(Member.class::cast)
                .filter(PublicApiTest::isOffered)
                .map(PublicApiTest::signature)
                .sorted()
                .forEach(signature -> text.append("  ").append(signature).append('\n'));
        Arrays.stream(type.getDeclaredClasses())
                .filter(inner -> Modifier.isPublic(inner.getModifiers()))
                .sorted(Comparator.comparing(Class::getName))
                .forEach(inner -> text.append(text(inner)));
        return text.toString();
    }

    private static String head(Class<?> type) {
        String kind = type.isRecord() ? "record" : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
        String modifiers = Modifier.toString(type.getModifiers() & (Modifier.ABSTRACT | Modifier.FINAL));
        String components = type.isRecord()
                ? Arrays.stream(type.getRecordComponents())
                        .map(part -> part.getGenericType().getTypeName() + " " + part.getName())
                        .collect(Collectors.joining(", ", "(", ")"))
                : "";
        return unqualified(modifiers + (type.isSealed() ? " sealed " : " ") + kind + components)
                        .strip()
                + among(" permits ", type.isSealed() ? type.getPermittedSubclasses() : new Class<?>[0])
                + among(" implements ", type.getInterfaces());
    }

    private static String among(String word, Class<?>[] types) {
        List<String> names =
                Arrays.stream(types).map(Class::getSimpleName).sorted().toList();
        return names.isEmpty() ? "" : word + String.join(", ", names);
    }

    private static boolean isOffered(Member member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                && !member.isSynthetic()
                && !IMPLICIT.contains(member.getName());
    }

    private static String signature(Member member) {
        return switch (member) {
            case Method method -> unqualified(method.toGenericString()).replaceFirst("\\S+\\.(?=\\w+\\()", "");
            case Constructor<?> constructor -> unqualified(constructor.toGenericString());
            case Field field -> unqualified(field.toGenericString()).replaceFirst("\\S+\\.(?=\\w+$)", "");
            default -> throw new AssertionError(member);
        };
    }

    /** The signature without packages. */
    private static String unqualified(String signature) {
        return signature.replaceAll("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])", "");
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
