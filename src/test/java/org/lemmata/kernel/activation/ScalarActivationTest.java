package org.lemmata.kernel.activation;

class ScalarActivationTest extends ActivationContract {

    @Override
    Activation activation() {
        return new ScalarActivation();
    }
}
