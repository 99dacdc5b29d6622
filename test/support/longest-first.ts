/**
 * The order of a run: suites with long files start first, and the one with many small files ends it, so that no worker
 * waits for another's last long file. Within a suite vitest's own order applies: by the last known durations, otherwise
 * by size.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const suites = ['story', 'console', 'faults', 'conformance', 'lengthy', 'security', 'integration', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => suites.indexOf(a.project.name) - suites.indexOf(b.project.name))
  }
}
