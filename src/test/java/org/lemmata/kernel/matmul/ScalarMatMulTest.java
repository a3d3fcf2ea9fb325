package org.lemmata.kernel.matmul;

class ScalarMatMulTest extends MatMulContract {

    @Override
    MatMul matMul() {
        return new ScalarMatMul();
    }
}
