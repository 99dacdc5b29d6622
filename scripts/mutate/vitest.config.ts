/** The configuration for a mutant's tests: the files in the given order, nearest first, until the first failure. */
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const given = (file: TestSpecification): number =>
      process.argv.findIndex((each) => each.endsWith('.test.ts') && file.moduleId.endsWith(each))
    return files.toSorted((a, b) => given(a) - given(b))
  }
}

export default defineConfig({
  cacheDir: '.mutate/vite',
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['scripts/mutate/lent-cluster.ts'],
    setupFiles: ['scripts/mutate/record-calls.ts'],
    sequence: { sequencer: AsGiven },
    fileParallelism: false,
    bail: 1,
    // Unchanged modules are loaded once for all mutants.
    fsModuleCache: true,
    fsModuleCachePath: '.mutate/modules',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['json'],
    outputFile: '.mutate/outcome.json',
  },
})
