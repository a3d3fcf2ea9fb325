package reverse;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.setting.Catalogue;
import org.lemmata.source.*;
import org.lemmata.task.*;
import org.lemmata.token.*;

/** A word, "=", and the word reversed, each letter of which is predicted from what stands before it: {@code a b = b a}. */
public final class ReverseTask extends Task {
    private static final Source SOURCE = new Source(new Paper("reverse", "Doe", 2026, "Reversals"), "section 1");
    private final int letters;
    private final int shortest;
    private final int longest;

    /** What Lemmata finds: META-INF/services names it. */
    public static final class Provider implements TaskProvider {
        @Override public List<Catalogue.Entry<Task>> entries() {
            return List.of(new Catalogue.Entry<>("reverse", "words and their reverses", SOURCE, """
                letters | 4 | letters of the alphabet, 2 to 26
                longest | 8 | letters of the longest word; lengths from 1 on are equally likely
                """, settings -> new ReverseTask(
                        settings.requiredInteger("letters", 2, 26), 1, settings.requiredInteger("longest", 1, 1000))));
        }
    }

    private ReverseTask(int letters, int shortest, int longest) {
        super("reverse", SOURCE, new Vocabulary(Stream.concat(
                IntStream.range(0, letters).mapToObj(i -> Character.toString('a' + i)), Stream.of("=")).toList()));
        this.letters = letters;
        this.shortest = shortest;
        this.longest = longest;
    }

    /** The last letter is only predicted: a word of n letters is read as 2n tokens. */
    @Override public int defaultLength() { return 2 * longest; }

    @Override public Optional<Task> ofLength(int length) {
        return length < 2 || length % 2 > 0 ? Optional.empty()
                : Optional.of(new ReverseTask(letters, length / 2, length / 2));
    }

    @Override public Example sample(RandomGenerator random, int length) {
        Refuse.below("length", length, 2 * shortest);
        int n = random.nextInt(shortest, Math.min(longest, length / 2) + 1);
        int[] word = IntStream.range(0, n).map(i -> random.nextInt(letters)).toArray();
        int[] inputs = new int[2 * n];
        int[] targets = new int[n];
        int[] positions = new int[n];
        for (int i = 0; i < n; i++) {
            inputs[i] = word[i];
            inputs[n + i] = i == 0 ? letters : word[n - i];
            targets[i] = word[n - 1 - i];
            positions[i] = n + i;
        }
        return new Example(inputs, targets, positions);
    }

    /** Decided without the sampler, which a mistake in it would not be seen by. */
    @Override public boolean accepts(int... ids) {
        int n = Arrays.stream(ids).boxed().toList().indexOf(letters);
        return n > 0 && ids.length == 2 * n && IntStream.range(1, n).allMatch(i -> ids[n + i] == ids[n - i]);
    }
}
