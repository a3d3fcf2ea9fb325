package org.lemmata.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes inputs: bytes, words, lines, and pieces of other inputs. */
final class Mutator {

    /** Inputs grow up to this length in bytes. */
    private static final int LONGEST = 1 << 14;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.+-]+|\"[^\"\\n]{0,40}\"");

    /** Values that readers often treat wrongly, separated by blanks. */
    private static final List<byte[]> ODD = bytes(List.of(("""
                    0 -0 -1 1 1.5 NaN Infinity -Infinity 1e999 1e-999 0x10 1f null true 2147483647 -2147483648 2147483648
                    4294967296 9223372036854775807 -9223372036854775808 9223372036854775808 [] {} [null] "" "\\u0000" "\\ud800"
                    "\\n" ".." "/" %s % $1 \\ ' * &a !! <b> .. ../.. /dev/null
                    """ + "x".repeat(1000) + " " + "[".repeat(2000) + " "
                    + "{\"a\":".repeat(1500) + " \r \0 \u2028 \u202e \ufeff \ud83d\ude00")
            .split("[ \\n]+", -1)));

    private final SplittableRandom random;
    private final List<byte[]> words;

    /** @param seeds inputs whose words are inserted elsewhere */
    Mutator(List<byte[]> seeds, long seed) {
        random = new SplittableRandom(seed);
        var found = new LinkedHashSet<String>();
        for (byte[] each : seeds) {
            Matcher matcher = WORD.matcher(new String(each, UTF_8));
            while (matcher.find() && found.size() < 4000) {
                found.add(matcher.group());
            }
        }
        words = bytes(List.copyOf(found));
    }

    private static List<byte[]> bytes(List<String> texts) {
        return texts.stream().map(text -> text.getBytes(UTF_8)).toList();
    }

    /** Changes one of the inputs in one or a few places; recent inputs are chosen more often. */
    byte[] mutated(List<byte[]> inputs) {
        int newest = Math.min(inputs.size(), 32);
        int from = random.nextBoolean() ? inputs.size() - newest : 0;
        byte[] input = inputs.get(random.nextInt(from, inputs.size()));
        for (int changes = Integer.numberOfTrailingZeros(random.nextInt() | (1 << 6)); changes >= 0; changes--) {
            byte[] next = changed(input, inputs.get(random.nextInt(inputs.size())));
            input = next.length <= LONGEST ? next : Arrays.copyOf(next, LONGEST);
        }
        return input;
    }

    private byte[] changed(byte[] input, byte[] other) {
        int at = random.nextInt(input.length + 1);
        int end = Math.min(input.length, at + 1 + length());
        int next = Math.min(input.length, at + 1);
        return switch (random.nextInt(13)) {
            case 0 -> replaced(input, at, end, new byte[0]);
            case 1 -> replaced(input, random.nextInt(input.length + 1), -1, Arrays.copyOfRange(input, at, end));
            case 2 -> replaced(input, at, next, new byte[] {(byte) random.nextInt(256)});
            case 3 -> replaced(input, at, -1, new byte[] {(byte) random.nextInt(256)});
            case 4 -> replaced(input, at, next, flipped(input, at, next));
            case 5 -> replaced(input, at, -1, one(ODD));
            case 6 -> replaced(input, begin(input, at), end(input, at), one(ODD));
            case 7 -> replaced(input, at, -1, one(words));
            case 8, 9 -> replaced(input, begin(input, at), end(input, at), one(words));
            case 10 -> {
                int from = random.nextInt(other.length + 1);
                yield replaced(
                        input, at, end, Arrays.copyOfRange(other, from, Math.min(other.length, from + length())));
            }
            case 11 -> replaced(input, line(input, at), lineEnd(input, at), new byte[0]);
            default -> random.nextInt(4) > 0 ? number(input, at) : Arrays.copyOf(input, at);
        };
    }

    /** A random length; short ones are most frequent. */
    private int length() {
        return random.nextInt(1 << random.nextInt(1, 9));
    }

    private byte[] one(List<byte[]> list) {
        return list.isEmpty() ? new byte[0] : list.get(random.nextInt(list.size()));
    }

    /** @param end the end of the removed bytes; -1 to remove none */
    private static byte[] replaced(byte[] input, int begin, int end, byte[] with) {
        int rest = Math.max(begin, end);
        byte[] output = Arrays.copyOf(input, input.length - (rest - begin) + with.length);
        System.arraycopy(with, 0, output, begin, with.length);
        System.arraycopy(input, rest, output, begin + with.length, input.length - rest);
        return output;
    }

    private byte[] flipped(byte[] input, int at, int end) {
        return at == end ? new byte[0] : new byte[] {(byte) (input[at] ^ (1 << random.nextInt(8)))};
    }

    /** Replaces 8 bytes by a random number: at the start, or at {@code at} or as near as the end permits. */
    private byte[] number(byte[] input, int at) {
        if (input.length < Long.BYTES) {
            return input;
        }
        byte[] output = input.clone();
        long value = random.nextBoolean() ? random.nextLong() >> random.nextInt(64) : 1L << random.nextInt(64);
        int place = random.nextBoolean() ? 0 : Math.min(at, input.length - Long.BYTES);
        ByteBuffer.wrap(output).order(ByteOrder.LITTLE_ENDIAN).putLong(place, value);
        return output;
    }

    private static boolean isWord(byte each) {
        return Character.isLetterOrDigit(each) || each == '_' || each == '.' || each == '-' || each == '+';
    }

    private static int begin(byte[] input, int at) {
        int begin = at;
        while (begin > 0 && isWord(input[begin - 1])) {
            begin--;
        }
        return begin;
    }

    private static int end(byte[] input, int at) {
        int end = at;
        while (end < input.length && isWord(input[end])) {
            end++;
        }
        return end;
    }

    private static int line(byte[] input, int at) {
        int begin = at;
        while (begin > 0 && input[begin - 1] != '\n') {
            begin--;
        }
        return begin;
    }

    private static int lineEnd(byte[] input, int at) {
        int end = at;
        while (end < input.length && input[end] != '\n') {
            end++;
        }
        return Math.min(input.length, end + 1);
    }
}
