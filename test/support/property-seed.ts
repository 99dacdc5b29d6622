/**
 * Properties draw the same values in each run of one tree, so that a failure belongs to the tree and can be repeated.
 * `PANJI_PROPERTY_SEED=<number>` draws others, `random` different ones each time.
 */
import fc from 'fast-check'

const asked = process.env['PANJI_PROPERTY_SEED'] ?? '20261122'
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked) })
