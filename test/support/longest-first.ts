/**
 * The order of a run: the suites whose files take long begin, and the one of many small files ends, so that no worker is left waiting
 * for another's last long file. Within a suite vitest's own order holds: by the last known durations, else by size.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const suites = ['story', 'console', 'faults', 'conformance', 'lengthy', 'security', 'integration', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => suites.indexOf(a.project.name) - suites.indexOf(b.project.name))
  }
}
