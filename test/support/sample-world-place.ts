/** The folder of the sample world of a test run, shared by all projects. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    sampleWorldPlace: string
  }
}

/** Per process: each project loads this file again. */
const shared = globalThis as { panjiSampleWorldPlace?: string }

export default function setup(project: TestProject): () => void {
  const place = shared.panjiSampleWorldPlace ?? mkdtempSync(join(tmpdir(), 'panji-sample-'))
  shared.panjiSampleWorldPlace = place
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(place, 0o755)
  project.provide('sampleWorldPlace', place)
  return () => rmSync(place, { recursive: true, force: true })
}
