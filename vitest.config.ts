import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { testFolder } from './test/support/files-in-memory.ts'
import { lengthyTests } from './test/support/lengthy-tests.ts'
import { LongestFirst } from './test/support/longest-first.ts'

// Each test file is a process of its own, and hundreds of commands are: they share what they compile.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/panji-tests', import.meta.url))

process.env['TMPDIR'] = testFolder()

/** Tests run as the product does: Node reads the TypeScript itself, and nothing is read that a test does not import. */
const native = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A machine under load is slow, which is no fault.
  expect: { poll: { timeout: 60_000 } },
}
/** Unit tests touch no database; every other project shares one embedded cluster started by the global setup. */
const recording = process.env['PANJI_TESTS'] === 'record' ? ['test/support/record-executed.ts'] : []
const draws = { ...native, setupFiles: [...recording, 'test/support/property-seed.ts'] }
const database = {
  ...native,
  globalSetup: ['test/support/global-cluster.ts'],
  setupFiles: [...draws.setupFiles, 'test/support/property-limits.ts'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

/** A shuffled run has an order of its own, which a sequencer named here would keep out. */
const isShuffled = process.argv.some((each) => each.startsWith('--sequence.shuffle'))

export default defineConfig({
  test: {
    ...(isShuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    // Twice the processors that a small machine has: half of the time something is waited for.
    maxWorkers: 4,
    projects: [
      // What they load is loaded once: they touch nothing that another file sees.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...lengthyTests],
          isolate: false,
          ...draws,
          testTimeout: 120_000,
        },
      },
      { test: { name: 'lengthy', include: lengthyTests, isolate: false, ...draws, testTimeout: 120_000 } },
      // These, too: whatever one of them needs is its database's or its server's, and it takes them down.
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], isolate: false, ...database } },
      { test: { name: 'security', include: ['test/security/**/*.test.ts'], isolate: false, ...database } },
      { test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'], isolate: false, ...database } },
      {
        test: {
          name: 'story',
          include: ['test/story/**/*.test.ts'],
          isolate: false,
          ...database,
          globalSetup: [...database.globalSetup, 'test/support/sample-world-place.ts'],
        },
      },
      {
        test: {
          name: 'console',
          ...native,
          setupFiles: recording,
          include: ['test/console/**/*.test.ts'],
          globalSetup: [
            'test/support/built-pages.ts',
            'test/support/unpacked-browser.ts',
            'test/support/sample-world-place.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // What dies here is a process that the test started.
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          isolate: false,
          ...database,
          testTimeout: 240_000,
        },
      },
    ],
  },
})
