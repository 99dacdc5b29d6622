/**
 * The long form of test/faults/deliveries.test.ts: 200 seeds for each CRM, and for accounts with their persons, with
 * 2,000 leads each by default. A seed that fails is replayed with PANJI_FAULT_SEED and one seed.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    leads: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: 'whatever happens' },
  },
})
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'faults', 'test/faults/deliveries.test.ts', '-t', values.only],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PANJI_DELIVERY_SEEDS: values.seeds,
      PANJI_DELIVERY_LEADS: values.leads,
      PANJI_FAULT_SEED: values.from,
    },
  },
)
process.exitCode = status ?? 1
