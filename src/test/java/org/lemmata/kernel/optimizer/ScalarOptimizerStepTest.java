package org.lemmata.kernel.optimizer;

class ScalarOptimizerStepTest extends OptimizerStepContract {

    @Override
    OptimizerStep optimizerStep() {
        return new ScalarOptimizerStep();
    }
}
