import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const file = new URL('../../../src/cli/start/bounded-heap.ts', import.meta.url)

/** Grows the room for what is new as loading does, bounds it, and tries to grow it again. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { boundHeap } from ${JSON.stringify(file.href)}
  const mib = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20
  const live = () => {
    const kept = []
    for (let n = 0; n < 700_000; n++) kept.push({ n })
    return kept.length
  }
  const sizes = []
  live()
  sizes.push(mib())
  await boundHeap()
  sizes.push(mib())
  live()
  sizes.push(mib())
  process.stdout.write(JSON.stringify(sizes))
`

test('a process that has loaded much keeps some 16 MiB for what is new from then on, however much of it lives', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const [loaded, bounded, later] = JSON.parse(stdout) as number[]
  expect(loaded).toBeGreaterThan(24)
  for (const mib of [bounded, later]) {
    expect(mib).toBeGreaterThanOrEqual(16)
    expect(mib, 'a page that is counted early at most').toBeLessThan(24)
  }
})
