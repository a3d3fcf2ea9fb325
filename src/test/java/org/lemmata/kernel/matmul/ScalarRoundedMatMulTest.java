package org.lemmata.kernel.matmul;

import org.lemmata.random.RandomStream;

class ScalarRoundedMatMulTest extends RoundedMatMulContract {

    @Override
    MatMul rounded(MatMulRounding rounding, RandomStream stream) {
        return new ScalarRoundedMatMul(rounding, stream);
    }
}
