package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A stand-in for JMH, shared by all tests of a class, and the messages of each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StandInFixture {

    @SuppressWarnings("NullAway.Init")
    StandInJmh jmh;

    final List<String> told = new ArrayList<>();

    @BeforeAll
    void build(@TempDir Path directory) throws IOException {
        jmh = StandInJmh.build(directory);
    }

    @BeforeEach
    void forget() {
        told.clear();
    }
}
