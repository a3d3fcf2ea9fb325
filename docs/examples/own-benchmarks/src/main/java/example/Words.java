package example;

import java.util.HashSet;
import java.util.Set;

/** What is measured. */
public final class Words {

    private Words() {}

    /** How many different words a text has; words are apart at blanks. */
    public static int distinct(String text) {
        Set<String> words = new HashSet<>();
        int start = 0;
        for (int end = text.indexOf(' '); end >= 0; end = text.indexOf(' ', start)) {
            words.add(text.substring(start, end));
            start = end + 1;
        }
        words.add(text.substring(start));
        return words.size();
    }
}
