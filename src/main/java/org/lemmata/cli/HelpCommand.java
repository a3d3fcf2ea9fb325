package org.lemmata.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Suggestion;
import org.lemmata.claim.Claims;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.config.Section;
import org.lemmata.construct.Constructions;
import org.lemmata.experiment.TrainingSections;
import org.lemmata.setting.Catalogue;
import org.lemmata.task.Tasks;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "help",
        description = {
            "Print help on a topic.",
            "Topics are the commands, the sections of the training configuration, the tasks, the "
                    + "constructions, and formats, which lists the number formats."
        },
        footer = {"  lemmata help verify", "  lemmata help model"})
final class HelpCommand extends OutputCommand {

    private static final String FORMATS = "formats";

    @Parameters(arity = "0..1", paramLabel = "TOPIC", description = "The topic (default: a list of all topics).")
    private @Nullable String topic;

    @Override
    public Integer call() throws IOException {
        CommandLine root = commandLine().getParent();
        SequencedMap<String, String> texts = texts();
        List<Section> sections = TrainingSections.TRAINING.sections();
        if (topic == null) {
            root.usage(out());
            out().println("Topics: the commands; " + String.join(", ", texts.keySet()) + ", " + FORMATS);
            out().println("  sections of the configuration of train: "
                    + String.join(", ", sections.stream().map(Section::name).toList()));
            out().println("  tasks: " + String.join(", ", Tasks.CATALOGUE.names()));
            out().println("  constructions: " + String.join(", ", Constructions.CATALOGUE.names()));
            return ExitCode.CLEAN;
        }
        var topics = new LinkedHashMap<String, Runnable>();
        root.getSubcommands().forEach((name, command) -> topics.put(name, () -> command.usage(out())));
        texts.forEach((name, text) -> topics.putIfAbsent(name, () -> out().println(text)));
        // A section, a task and a construction may have the same name.
        var others = new LinkedHashMap<String, List<Runnable>>();
        sections.forEach(section -> others.computeIfAbsent(section.name(), name -> new ArrayList<>())
                .add(() -> print(section, "")));
        for (Catalogue<?> catalogue : List.of(Tasks.CATALOGUE, Constructions.CATALOGUE)) {
            catalogue
                    .names()
                    .forEach(name -> others.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(() -> CatalogueCommand.print(out(), catalogue, catalogue.entry(name))));
        }
        others.forEach((name, prints) -> topics.putIfAbsent(name, () -> prints.forEach(Runnable::run)));
        topics.putIfAbsent(FORMATS, () -> RoundCommand.printFormats(out()));
        Runnable print = topics.get(topic);
        if (print == null) {
            throw new IllegalArgumentException("topic: expected one that lemmata help lists, got "
                    + (Claims.names().contains(topic)
                            ? "the id of claims; see lemmata claims " + topic
                            : Suggestion.quoted(topic, List.copyOf(topics.keySet()))));
        }
        print.run();
        return ExitCode.CLEAN;
    }

    private void print(Section section, String above) {
        String path = above + section.prefix();
        section.keys()
                .forEach(key -> out().printf(
                                "%-40s %s%n",
                                path + key.name() + (key.fallback().isEmpty() ? "" : "=" + key.fallback()),
                                key.meaning()));
        section.sections().forEach(below -> print(below, path));
    }

    static SequencedMap<String, String> texts() throws IOException {
        try (InputStream stream = Objects.requireNonNull(HelpCommand.class.getResourceAsStream("topics.txt"))) {
            var texts = new LinkedHashMap<String, String>();
            String all = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            Arrays.stream(all.substring(2).split("\n# "))
                    .map(text -> text.split("\n", 2))
                    .forEach(text -> texts.put(text[0], text[1].stripTrailing()));
            return texts;
        }
    }
}
