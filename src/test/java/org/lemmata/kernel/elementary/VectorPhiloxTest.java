package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.random.RandomStream;

class VectorPhiloxTest {

    /** Includes the last tile of a stream, whose block numbers are negative as int. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12345, (1 << 29) - 3})
    void tilesHaveTheWordsOfTheStream(int first) {
        var random = new SplittableRandom(first);
        for (int tiles = 0; tiles <= 3; tiles++) {
            var stream = new RandomStream(random.nextLong(), random.nextInt(), random.nextLong());
            int[] words = random.ints((tiles + 1L) * RandomStream.TILE).toArray();
            int[] expected = words.clone();
            for (int tile = 0; tile < tiles; tile++) {
                stream.tileInto(expected, tile * RandomStream.TILE, first + tile);
            }
            VectorPhilox.tilesInto(words, first, tiles, stream);
            assertThat(words).isEqualTo(expected);
        }
    }
}
