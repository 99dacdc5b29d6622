import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const file = new URL('../../../src/cli/start/bounded-heap.ts', import.meta.url)

/** Bounds its heap, then keeps so many new objects that V8 makes all the room for them that it may. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  const { boundHeap } = await import(process.argv[1])
  process.stdout.write(process.pid + '\\n')
  boundHeap()
  const kept = []
  for (let n = 0; n < 700_000; n++) kept.push({ n })
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  process.stdout.write(JSON.stringify({ mib: young.space_size / 2 ** 20, argv: process.argv.slice(2), set: process.env.SET }))
`

test('a process that bounds its heap is the same process with the same arguments, and its young generation keeps its bound', async () => {
  const parameters = ['--input-type=module', '--eval', program, file.href, 'one', 'two words']
  const env = { ...process.env, SET: 'kept' }
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { env })
  const [first, second, answer = ''] = stdout.split('\n')
  expect(second).toBe(first)
  const { mib, ...others } = JSON.parse(answer) as Record<string, unknown>
  expect(others).toEqual({ argv: ['one', 'two words'], set: 'kept' })
  // Unbounded it would be 64; a page may be counted early.
  expect(mib).toBeLessThan(24)
})
