package org.lemmata.kernel.dropout;

class ScalarDropoutTest extends DropoutContract {

    @Override
    Dropout dropout() {
        return new ScalarDropout();
    }
}
