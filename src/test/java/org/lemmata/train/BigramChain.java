package org.lemmata.train;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** Words of 2 to 9 tokens in which the next token is the successor of the last with probability 3/4, else any token. */
final class BigramChain {

    private BigramChain() {}

    static Example sample(RandomGenerator random, int symbols) {
        int[] word = new int[random.nextInt(2, 10)];
        word[0] = random.nextInt(symbols);
        for (int i = 1; i < word.length; i++) {
            word[i] = random.nextInt(4) < 3 ? (word[i - 1] + 1) % symbols : random.nextInt(symbols);
        }
        return Example.nextToken(word);
    }

    /** The mean cross-entropy of the true distribution on the scored rows, in nats. */
    static double crossEntropy(List<Batch> batches, int symbols) {
        double sum = 0;
        long rows = 0;
        for (Batch batch : batches) {
            for (int i = 0; i < batch.scoredRows().length; i++) {
                int token = batch.ids()[batch.scoredRows()[i]];
                boolean successor = batch.targets()[i] == (token + 1) % symbols;
                sum -= Math.log(0.25 / symbols + (successor ? 0.75 : 0));
                rows++;
            }
        }
        return sum / rows;
    }
}
