/** The database cluster of a mutant's tests: shared by all mutants of a run, and passed in the environment. */
import type { TestProject } from 'vitest/node'

export const lentCluster = 'PANJI_MUTATE_CLUSTER'

export default function setup(project: TestProject): void {
  const { clusterUrl, roleUrls } = JSON.parse(process.env[lentCluster] ?? '{}')
  project.provide('clusterUrl', clusterUrl)
  project.provide('roleUrls', roleUrls)
}
