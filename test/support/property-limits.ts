/**
 * How properties end in a project with a database. A draw takes a second on a busy machine, so a failure is reported at
 * once, with its seed and the unshrunk draw: shrinking would run into the test's timeout, which reports neither, and
 * continue during the next test. To shrink by hand use `{ seed, path, endOnFailure: false }`. For the same reason a
 * property that is too slow ends before its test does.
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
