package org.lemmata.oracle;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Values of independent implementations, from JSON files in the tests' resources. */
public final class ReferenceValues {

    private ReferenceValues() {}

    /** Calls a test method with each case of a file's list, which must have {@code count} cases. */
    @ParameterizedTest
    @ArgumentsSource(Cases.class)
    @Target(METHOD)
    @Retention(RUNTIME)
    public @interface Each {

        /** The file, named without its ending. */
        String file();

        String list() default "cases";

        int count();
    }

    static final class Cases implements ArgumentsProvider {

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            Each each = context.getRequiredTestMethod().getAnnotation(Each.class);
            return cases(each.file(), each.list(), each.count()).map(Arguments::of);
        }
    }

    /** The content of a file of {@code org/lemmata/vectors}, named without its ending. */
    public static JsonNode read(String name) {
        try (InputStream stream = ReferenceValues.class.getResourceAsStream("/org/lemmata/vectors/" + name + ".json")) {
            return JsonMapper.builder().build().readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file's list of cases, which must have {@code count} cases. */
    public static Stream<JsonNode> cases(String name, int count) {
        return cases(name, "cases", count);
    }

    public static Stream<JsonNode> cases(String name, String list, int count) {
        JsonNode cases = read(name).get(list);
        assertThat(cases).hasSize(count);
        return stream(cases);
    }

    public static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    public static double number(JsonNode object, String name) {
        return object.get(name).doubleValue();
    }

    public static int integer(JsonNode object, String name) {
        return object.get(name).intValue();
    }

    public static double[] numbers(JsonNode list) {
        return stream(list).mapToDouble(JsonNode::doubleValue).toArray();
    }

    public static int[] integers(JsonNode list) {
        return stream(list).mapToInt(JsonNode::intValue).toArray();
    }

    public static double[][] rows(JsonNode list) {
        return stream(list).map(ReferenceValues::numbers).toArray(double[][]::new);
    }
}
