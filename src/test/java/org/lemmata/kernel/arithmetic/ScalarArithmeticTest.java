package org.lemmata.kernel.arithmetic;

class ScalarArithmeticTest extends ArithmeticContract {

    @Override
    Arithmetic arithmetic() {
        return new ScalarArithmetic();
    }
}
