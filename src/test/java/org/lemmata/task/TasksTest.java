package org.lemmata.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TasksTest {

    @ParameterizedTest
    @MethodSource("org.lemmata.task.Tasks#all")
    void samplesOfEveryTaskAreAccepted(Task task) {
        var random = new Random(3);
        for (int i = 0; i < 200; i++) {
            int[] ids = task.sample(random, task.defaultLength()).inputs();
            assertThat(task.accepts(ids)).as("%s, seed 3, draw %d", task.name(), i).isTrue();
            assertThat(Arrays.stream(ids)).allMatch(id -> id < task.vocabulary().size());
        }
    }

    @ParameterizedTest
    @MethodSource("org.lemmata.task.Tasks#all")
    void everyTaskIsMadeAnewFromItsOwnParameters(Task task) {
        Map<String, String> values = task.parameters().stream()
                .collect(Collectors.toMap(Parameter::name, Parameter::value));
        Task again = Tasks.create(task.name(), values);
        assertThat(again.parameters()).isEqualTo(task.parameters());
        assertThat(again.sample(new Random(1), again.defaultLength()))
                .isEqualTo(task.sample(new Random(1), task.defaultLength()));
    }

    @Test
    void parametersReachTheTask() {
        Task task = Tasks.create("dyck-words", Map.of("N", "20", "minDepth", "3"));
        assertThat(task.defaultLength()).isEqualTo(40);
        assertThat(task.parameters()).extracting(Parameter::value).containsExactly("20", "3", "20");
        assertThat(task.source().citation()).isEqualTo("Richard (2024), section 4");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "dyck; N; 16; task: expected one of dyck-words, got 'dyck'",
        "dyck-words; n; 16; parameter of dyck-words: expected one of N, minDepth, maxDepth, got 'n'",
        "dyck-words; N; 0; N: expected at least 1, got 0",
        "dyck-words; N; many; N: expected an integer, got 'many'",
        "dyck-words; N; 99999999999; N: expected an integer, got '99999999999'",
        "dyck-words; minDepth; 17; minDepth: expected at most 16, got 17"})
    void whatIsNotKnownIsRefusedInOneLine(String task, String parameter, String value, String message) {
        assertThatThrownBy(() -> Tasks.create(task, Map.of(parameter, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
