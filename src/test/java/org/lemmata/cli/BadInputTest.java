package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.Constructions;
import org.lemmata.number.TensorRounding;
import org.lemmata.task.Tasks;

/** Bad input leads to exit code 2 and one line that names the input, without other output. */
class BadInputTest {

    @TempDir
    private Path directory;

    /**
     * Words between blanks are arguments. DIR is a directory with a file, FILE that file. TASKS, CONSTRUCTIONS and
     * FORMATS stand for lists of all names.
     */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        help modle; topic: expected one that lemmata help lists, got 'modle' (did you mean model?)
        run dyck-completon; got 'dyck-completon' (did you mean dyck-completion?)
        run simple-task -p omgea=2; got 'omgea' (did you mean omega?)
        run simple-task --format bfloat61; got 'bfloat61' (did you mean bfloat16?)
        round --format bflot16; got 'bflot16' (did you mean bfloat16?)
        round --format binary16 --mode TiesToEvn; got 'TiesToEvn' (did you mean TiesToEven?)
        verify depht.figure-2; got 'depht.figure-2' (did you mean depth.figure-2?)
        verify length.figrue-1; got 'length.figrue-1' (did you mean length.figure-1?)
        verify --budget qick; but was 'qick' (did you mean QUICK?)
        claims paritty; got 'paritty' (did you mean parity?)
        sweep depth.figure-3.left --out NEW --engine locla; got 'locla' (did you mean local?)
        sweep depth.figure-3.lfet --out NEW; depth.figure-3.lfet: expected a configuration, got no such file (did you mean depth.figure-3.left?)
        sweep depth.figure-3.left --budget medum --out NEW; got medum (did you mean medium?)
        train CONFIG --out NEW optimizer.kind=adamm; got 'adamm' (did you mean adam?)
        generate dyck-wrods -n 3 --out NEW; got 'dyck-wrods' (did you mean dyck-words?)
        run simple-task -p omega=2 -p omega=3; -p omega: expected once, got twice; see lemmata run --help
        sweep depth.figure-3.left --dry-run --measure -1; --measure: expected at least 0, got -1
        train DIR --out NEW; given: expected a configuration, got a directory
        compare FILE jmh-results/portable/simd-512.json; data.txt: [0].benchmark: expected
        compare pom.xml jmh-results/portable/simd-512.json; lemmata: pom.xml: line 1, column 1: expected the results of JMH
        compare DIR jmh-results/portable/simd-512.json; given: a directory; expected the results of JMH
        bench Softmax --until-decided; --until-decided: expected --against, --aa or --beside-reference, got none
        help nothing; topic: expected one that lemmata help lists, got 'nothing'
        help depth.theorem-4.1; topic: expected one that lemmata help lists, got the id of claims; see lemmata claims depth.theorem-4.1
        complete nothing --input -; nothing: expected a file of weights, or the directory of a run, got none
        round --format fp16; got 'fp16', which is binary16 here
        verify @DIR; claim: expected an id that lemmata claims lists
        run dyck-recognizer -p k="2; k: expected an integer from 1 to 1024, got '"2'
        verifi; Unmatched argument at index 0: 'verifi' (did you mean verify
        --nonsense; Unknown option: '--nonsense'
        generate dyck -n 3 --out NEW; task: expected one of TASKS, got 'dyck'
        generate; Missing required
        generate dyck-words --out NEW; Missing required option: '-n=N'
        generate dyck-words -n 3; Missing required option: '--out=DIR'
        generate dyck-words -n 0 --out NEW; -n: expected at least 1, got 0
        generate dyck-words -n x --out NEW; 'x' is not an int
        generate dyck-words -n 3 --test -1 --out NEW; --test: expected at least 0, got -1
        generate dyck-words -n 3 --out-of-sample 2 --out NEW; --out-of-sample: expected 0 for a task that holds nothing out, got 2
        generate boolean-expressions -n 3 --out-of-sample -2 --out NEW; --out-of-sample: expected at least 0, got -2
        generate boolean-expressions -n 3 -p form=dnf --out NEW; form: expected shortest or two-level, got 'dnf'
        generate boolean-expressions -n 3 -p outOfSample=true --out NEW; outOfSample: expected false where nothing is held out, got true
        generate boolean-expressions -n 3 -p variables=9 --out NEW; variables: expected an integer from 1 to 8, got '9'
        generate dyck-words -n 3 --validation -1 --out NEW; --validation: expected at least 0, got -1
        generate dyck-words -n 5 --test 1 -p N=3 --distinct --out NEW; --distinct: expected at most 5 words in all splits, which is all there are, got 6
        generate dyck-words -n 10000001 -p maxDepth=4 --distinct --out NEW; --distinct: expected at most 7174454 words in all splits, which is all there are, got 10000001
        generate boolean-expressions -n 3 -p window=0 -p variables=1 -p constants=false -p k=1 -p q=0 --distinct --out NEW; --distinct: expected 3 examples of the split train that occur in no other split, found 2, then no more in 1090 draws
        generate boolean-expressions -n 1 --test 2 -p window=0 -p variables=1 -p constants=false -p k=1 -p q=0 --distinct --out NEW; --distinct: expected 2 examples of the split test that occur in no other split, found 1, then no more in 1090 draws
        generate boolean-expressions -n 3 --format txt --out NEW; --format: expected jsonl or tok for symbols longer than a character, such as p0, got txt
        generate boolean-expressions -n 3 --prefixes 1 --out NEW; --prefixes: expected a task of bracket words, or 0, got the task boolean-expressions
        generate dyck-words -n 3 --prefixes -1 --out NEW; --prefixes: expected at least 0, got -1
        generate dyck-words -n 3 --prefix-depth 2 --out NEW; --prefix-depth: expected some --prefixes with it, got none
        generate dyck-words -n 3 --prefixes 2 --prefix-depth 0 --out NEW; --prefix-depth: expected at least 1, got 0
        generate dyck-words -n 0 --prefixes 2 --prefix-depth 17 --out NEW; --prefix-depth: expected at most N = 16, got 17
        generate dyck-words -n 0 --prefixes 3 -p N=1 --distinct --out NEW; distinct prefixes of depth 1: expected 3, found 1 and no other in 1090 draws
        generate dyck-words -n 3 --seed x --out NEW; 'x' is not a long
        generate dyck-words -n 3 --format csv --out NEW; but was 'csv'
        generate dyck-words -n 3 --out DIR; --out: expected a directory that is new or empty, got
        generate dyck-words -n 3 --out FILE; --out: expected a directory, got the file
        generate dyck-words -n 3 --out FILE/below; data.txt/below: Not a directory
        generate dyck-words -n 3 -p N=0 --out NEW; N: expected an integer from 1 to 65536, got '0'
        generate dyck-words -n 3 -p N=-1 --out NEW; N: expected an integer from 1 to 65536, got '-1'
        generate dyck-words -n 3 -p depth=1 --out NEW; depth: expected one of the settings N, minDepth, maxDepth
        generate dyck-words -n 3 -p N --out NEW; should be in KEY=VALUE format but was N
        run; Missing required parameter: 'CONSTRUCTION'
        run dyck; construction: expected one of CONSTRUCTIONS, got 'dyck'
        run dyck-completion; word: expected a balanced word such as (())(), got nothing
        run dyck-completion -p word=; word: expected a balanced word such as (())(), got nothing
        run dyck-completion -p word=((); word: expected an even number of brackets, at least 2, got 3
        run dyck-completion -p word=(((); word: expected a balanced word, got 2 brackets left open
        run dyck-completion -p word=abc; word: expected ( or ) at position 1, got 'a'
        run dyck-completion -p word=() -p gamma=0; gamma: expected a finite number other than 0, got 0.0
        run dyck-completion -p word=(()) -p gamma=1e-300; gamma: expected v * gamma above N^2 = 4 (theorem 4.1), got v = 3.9
        run dyck-completion -p word=() -p gamma=; gamma: expected a finite number, got nothing
        run dyck-completion -p word=() -p v=NaN; v: expected a finite number, got 'NaN'
        run dyck-completion -p word=() -p v=2f; v: expected a finite number, got '2f'
        verify depth.optimum --budget standard --limit-hours 1d; '1d' is not a double
        run dyck-completion -p word=() -p v=abc; v: expected a finite number, got 'abc'
        run dyck-completion -p word=() -p v=1; v: expected v * gamma above N^2 = 1 (theorem 4.1), got v = 1.0
        run dyck-completion -p word=() -p sample=yes; sample: expected true or false, got 'yes'
        run dyck-completion -p word=() -p seed=1.5; seed: expected an integer of 64 bits, got '1.5'
        run dyck-completion -p word=() -p k=2; k: expected one of the settings word, gamma, v, sample, seed, got 'k'
        run dyck-completion-without-positions; N: expected an integer from 1 to 16384, got nothing
        run dyck-completion-without-positions -p N=0; N: expected an integer from 1 to 16384, got '0'
        run dyck-completion-without-positions -p N=-1; N: expected an integer from 1 to 16384, got '-1'
        run dyck-completion-without-positions -p N=2 -p v=NaN; v: expected a finite number, got 'NaN'
        run dyck-completion-without-positions -p N=2 -p v=0; v: expected a number below 0, got 0.0
        run dyck-completion-without-positions -p N=2 --format binary32; format: expected at least 53 significand bits
        run dyck-completion-of-types; word: expected a balanced word such as (1 (2 )2 )1, got nothing
        run dyck-completion-of-types -p word=(3; symbol: expected one of (1 )1 (2 )2, got '(3'
        run dyck-completion-of-types -p word=(1; word: expected an even number of brackets, at least 2, got 1
        run dyck-completion-of-types -p k=0 -p word=(1; k: expected an integer from 1 to 512, got '0'
        run sequence-memorization; sequence: expected tokens such as 1 3 2 2, got nothing
        run sequence-memorization -p sequence=a; sequence: expected at least 2 tokens, got 1
        run sequence-memorization-by-projection -p sequence=a; tokens: expected at least 2, got 1
        run sequence-memorization -p sequence=a -p gamma=0; sequence: expected at least 2 tokens, got 1
        run simple-task -p omega=x; omega: expected a finite number, got 'x'
        run simple-task -p knots=1; knots: expected an integer from 2 to 65536, got '1'
        run simple-task -p p=127; p: expected an integer from 1 to 126, got '127'
        run simple-task --format bfloat16; format: expected at least 53 significand bits
        run mod-p-task -p period=0; period: expected an integer from 1 to 256, got '0'
        run mod-p-task -p period=3 -p index=3; index: expected an integer from 0 to 2, got '3'
        run mod-p-task -p bits=54; bits: expected an integer from 2 to 53, got '54'
        run parity-chain -p subset=1,2,3; subset: expected a power of two of positions, at least 2, got 3
        run parity-chain -p bits=4; subset: expected at most 4 positions, got 8
        run parity-chain -p subset=1,17; subset: expected positions from 1 to 16, got 17
        run parity-chain -p subset=0,1; subset: expected positions from 1 to 16, got 0
        run parity-chain -p subset=3,3; subset: expected each position once, got 3 twice
        run parity-chain -p subset=1,x; subset: expected positions between commas, such as 1,4,5,7, got '1,x'
        run parity-chain -p subset=; subset: expected positions between commas, such as 1,4,5,7, got nothing
        run parity-chain -p bits=1; bits: expected an integer from 2 to 4096, got '1'
        run parity-chain -p samples=0; samples: expected an integer from 1 to 1000000, got '0'
        run parity-chain -p lambda=0; lambda: expected a number above 0, at most 1000000.0, got 0.0
        run parity-chain -p method=adam; method: expected teacher-forcing or self-consistency, got 'adam'
        run parity-chain --format bfloat16; format: expected none for parity-chain, which runs in binary64
        generate parity -n 3 -p subset=1,2,3 --out NEW; subset: expected a power of two of positions, at least 2, got 3
        run dyck-completion -p word=() --input MISSING; missing.txt: expected a file, got none
        run dyck-completion -p word=() --input DIR; --input: expected a file, got the directory
        run dyck-completion -p word=() --format float; format: expected one of binary64, binary32,
        run dyck-completion -p word=() --format threshold(0); threshold(p): expected p from 1 to 1022, got 0
        run dyck-completion -p word=() --sums; --sums: expected a --format to round sums to, got none
        run dyck-completion -p word=() --force; --force: expected a --format or --precision to run in, got none
        run dyck-recognizer -p maxLength=80 --format binary32; format: expected at least 25 significand bits for scores at length 80, depth 40, where sums run, got binary32 with 24; nearest representable: maxLength=79
        run dyck-completion -p word=((((((((())))))))) --format bfloat16; format: expected at least
        run dyck-completion -p word=() --mode ToOdd; --mode: expected a --format to round to in this mode, got none
        run dyck-completion -p word=() --format bfloat16 --mode Up; mode: expected one of TiesToEven,
        run dyck-completion -p word=() --format mxfp8_e4m3; format: expected one whose numbers share no scale, got mxfp8_e4m3
        run dyck-completion -p word=() --format int8 --sums; --sums: expected a --format whose numbers share no scale, got int8
        run dyck-completion -p word=() --precision MISSING; missing.txt: expected a configuration, got no such file
        run dyck-completion -p word=() --precision FILE; data.txt: line 1: expected the keys format, sums,
        run dyck-completion -p word=() --precision FILE --format bfloat16 --sums; --precision: expected no --format, --sums or --mode with it, got precision.format=bfloat16, precision.sums=true
        train CONFIG --out NEW --format bfloat17; command line: precision.format: expected one of binary64,
        train CONFIG --out NEW --sums; command line: precision.sums: expected a format to round sums to, got none
        train CONFIG --out NEW --mode Up --format bfloat16; command line: precision.mode: expected one of
        train CONFIG --out NEW --format bfloat16 precision.sites.scores=int4; command line: precision.sites.scores.format: expected a format whose numbers share no scale, got int4
        train CONFIG --out NEW --precision MISSING; missing.txt: expected a configuration, got no such file
        round; --format: expected a format, got none; --formats lists them
        round --format half; format: expected one of FORMATS, got 'half'
        round --format binary16 --mode Up; mode: expected one of TiesToEven, TiesToAway, TowardZero, TowardPositive, TowardNegative, ToOdd, Stochastic, got 'Up'
        round --format threshold(4) --saturate; --saturate: expected a float format, got threshold(4)
        round --format int8 --saturate; --saturate: expected a float format, got int8
        round --format mxfp4_e2m1 --no-subnormals; --no-subnormals: expected a float format, got mxfp4_e2m1
        round --format integer --no-subnormals; --no-subnormals: expected a float format, got integer
        round --format threshold(4) --mode TiesToEven; --mode: expected a format that has neighbours, got
        round --format binary16 --seed 3; --seed: expected --mode Stochastic, got TiesToEven
        round --format binary16 --mode Stochastic --seed x; 'x' is not a long
        round --format float(1,0,0); significandBits: expected 2 to 53, got 1
        round --format multiple(0); multiple(q): expected a positive normal number of binary32, got 0.0
        round --format log-precision(1,1); log-precision(c,n): expected c log2 n from 2 to 53, got c = 1.0, n = 1
        verify depth.nothing; claim: expected an id that lemmata claims lists,
        verify --budget huge; but was 'huge'
        verify depth.claim-5.3 --evidence MISSING; --evidence: expected a directory, got none at
        compare FILE --metric=; --metric: expected the name of a secondary metric, got nothing
        bench --jar MISSING --aa --metric=; --metric: expected the name of a secondary metric, got nothing
        verify depth.claim-5.3 --json=DIR; --json: expected a file, got the directory
        verify depth.claim-5.3 --json=FILE/claims.json; data.txt: expected a directory, got a file
        verify depth.claim-5.3 --markdown DIR; --markdown: expected a file, got the directory
        verify depth.claim-5.3 --out FILE; data.txt: expected a directory, got a file
        train; Missing required
        train CONFIG; Missing required option: '--out=DIR'
        train MISSING --out NEW; missing.txt: expected a configuration, got no such file
        train FILE --out NEW; data.txt: line 1: expected the keys seed, threads, steps,
        train CONFIG --out DIR; --out: expected a directory that is new or empty, got
        train CONFIG --out NEW model.widht=8; command line: model.widht: unknown, did you mean model.width?
        train CONFIG --out NEW model.attention.heads=3; command line: model.attention.heads: expected a divisor of the width 8, or also a head-width, got 3
        train CONFIG --out NEW optimizer.learning-rate=-1; command line: optimizer.learning-rate: expected a number from 0, got -1
        train CONFIG --out NEW width; command line: expected key=value such as model.width=64, got 'width'
        train CONFIG --out NEW task.name=dyck; command line: task.name: expected one of TASKS, got 'dyck'
        train CONFIG --out DIR --resume; --resume: expected the directory of a run, got
        train CONFIG --out FILE; --out: expected a directory, got the file
        report --claims MISSING --out NEW; missing.txt
        report --jmh MISSING --out NEW; missing.txt
        report --sweep MISSING --out NEW; missing.txt
        report --claims FILE --out NEW; data.txt
        report --jmh FILE --out NEW; data.txt
        report --jmh DIR --out NEW; given:
        report --evidence MISSING --out NEW; --evidence: expected a directory, got none at
        doctor --no-check --kernel softmax; --no-check: expected neither --kernel nor --once with it, got one
        doctor --no-check --once; --no-check: expected neither --kernel nor --once with it, got one
        sweep depth.figure-3.left --measure 3; --measure: expected --dry-run with it, got none
        train CONFIG --out NEW --json=DIR; --json: expected a file, got the directory
        generate dyck-words -n 3 --out NEW --json=DIR; --json: expected a file, got the directory
        """)
    void oneLineNamesWhatIsWrong(String words, String message) throws IOException {
        Path given = Files.createDirectory(directory.resolve("given"));
        Path file = Files.writeString(given.resolve("data.txt"), "[{\"id\": 3}]");
        Path config = Files.writeString(
                directory.resolve("x.yaml"), "steps: 1\ntask: {name: dyck-words}\nmodel: {width: 8, layers: 1}");
        String[] args = words.isEmpty() ? new String[0] : words.split(" ");
        for (int i = 0; i < args.length; i++) {
            args[i] = args[i].replace("FILE", file.toString())
                    .replace("DIR", given.toString())
                    .replace("CONFIG", config.toString())
                    .replace("NEW", directory.resolve("new").toString())
                    .replace("MISSING", directory.resolve("missing.txt").toString());
        }
        CommandLineRun run = CommandLineRun.of(args);
        assertThat(run.errLines()).as("%s", run).hasSize(1);
        String expected = message.replace("TASKS", String.join(", ", Tasks.CATALOGUE.names()))
                .replace("CONSTRUCTIONS", String.join(", ", Constructions.CATALOGUE.names()))
                .replace("FORMATS", String.join(", ", TensorRounding.NAMES));
        assertThat(run.err()).startsWith("lemmata: ").contains(expected);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(directory.resolve("new")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report --out",
                "report --jmh",
                "train",
                "sweep",
                "evaluate",
                "doctor --record",
                "bench --jar",
                "tasks --json",
                "verify depth.claim-5.3 --out",
                "run dyck-completion -p word=() --input"
            })
    void anEmptyPathIsNone(String command) {
        boolean isOption = command.contains("--");
        String[] words = (isOption ? command + "=" : command + " EMPTY").split(" ");
        CommandLineRun run = CommandLineRun.of(
                Arrays.stream(words).map(word -> word.replace("EMPTY", "")).toArray(String[]::new));
        run.refusedWith("expected a ", "got ''");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"report --out", "generate dyck-words -n 3 --out", "sweep depth.figure-3.left --out"})
    void aPlaceThatTakesNoFilesIsNamed(String command) throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("nowhere"));
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        Map<Path, String> messages = Map.of(
                link,
                ": expected a directory, got a link; " + link + " is a link to nowhere, which leads nowhere",
                loop,
                ": expected a directory, got a link; " + loop + " is a link to loop, which leads nowhere",
                link.resolve("x"),
                "; " + link + " is a link to nowhere, which leads nowhere",
                Path.of("/proc/lemmata"),
                "; /proc is a kernel file system, in which no files can be created");
        messages.forEach((place, message) -> {
            assertThat(CommandLineRun.of((command + " " + place).split(" ")).refusal())
                    .endsWith(message);
        });
    }

    @Test
    void aJarThatWouldBeTwoIsRejected() throws IOException {
        Path jar = Files.createFile(directory.resolve("a:b.jar"));
        assertThat(CommandLineRun.of("bench", "--jar", jar.toString()).err())
                .isEqualTo("lemmata: " + jar + ": expected a path without :, which separates the jars of a JVM\n");
    }

    @Test
    void linesThatAreNotLegalAreAnsweredInTheirPlace() throws IOException {
        CommandLineRun run = CommandLineRun.lineWithInput(
                "(\n(x\n())\n((((\n(()())(\n\n(()\n", "run dyck-completion -p word=(())() --json");
        assertThat(run.refusal())
                .isEqualTo("lemmata: input: line 2: position 2: expected '(' or ')', got 'x'; 3 more rejected");
        assertThat(run.outLines()).hasSize(7);
        String[] errors = {
            null,
            "position 2: expected '(' or ')', got 'x'",
            "position 3: expected '(', got ')' with nothing open",
            "position 4: expected at most 2 brackets open, got 4, which 6 brackets cannot balance",
            "prefix: expected at most 6 brackets, got 7",
            null,
            null
        };
        for (int i = 0; i < errors.length; i++) {
            JsonNode answer = run.answers().get(i);
            assertThat(answer.has("input")).isTrue();
            assertThat(answer.path("error").asText(null)).as("line %d", i + 1).isEqualTo(errors[i]);
            assertThat(answer.has("completion")).isEqualTo(errors[i] == null);
        }
    }

    @Test
    void bytesThatAreNotTextSpoilTheirOwnLineOnly() throws IOException {
        Path file = directory.resolve("bytes");
        Files.write(file, new byte[] {'(', '\n', '(', (byte) 0xC3, '\n', '(', ')', '\n'});
        CommandLineRun run = CommandLineRun.line("run dyck-completion -p word=(()) --input %s", file)
                .exits(2);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).startsWith("lemmata: input: line 2: position 2: expected '(' or ')'");
        assertThat(run.outLines()).hasSize(3);
        assertThat(run.outLines().get(1)).contains("\"error\":\"position 2: expected '(' or ')'");
    }

    @Test
    void aNumberThatIsNoneIsNamedByItsLine() {
        CommandLineRun run = CommandLineRun.withInput("1\nx\n2\n", "round", "--format", "binary16");
        assertThat(run.refusal()).isEqualTo("lemmata: input: line 2: expected a number, got 'x'");
        assertThat(run.outLines()).containsExactly("1.0\t0x3c00", "2.0\t0x4000");
    }
}
