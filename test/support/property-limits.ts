/**
 * How the properties of a project with a database end. A draw costs it a second where the machine is busy, so a failure is told
 * at once, with its seed and the draw as it came: searching for a smaller one would run into the test's timeout, which
 * tells neither, and go on beside the next test. `{ seed, path, endOnFailure: false }` searches by hand. For the same reason
 * a property that is too slow ends before its test does.
 */
import fc from 'fast-check'
import { beforeEach } from 'vitest'

beforeEach(({ task }) => {
  fc.configureGlobal({
    ...fc.readConfigureGlobal(),
    endOnFailure: true,
    interruptAfterTimeLimit: Math.round(0.8 * task.timeout),
    markInterruptAsFailure: true,
  })
})
