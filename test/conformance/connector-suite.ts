/**
 * The connector contract as tests. Each connector runs this suite against its own sandbox:
 * `describeConnector(subject)` in test/conformance/<name>.test.ts. What is owed stands in the titles of `promises/`;
 * `mutants.test.ts` proves that each of them is noticed when it is broken.
 */
import { describe, test } from 'vitest'
import { adoptionPromises } from './promises/adoption.ts'
import { answerPromises } from './promises/answers.ts'
import { changePromises } from './promises/changes.ts'
import { columnPromises } from './promises/columns.ts'
import { companionPromises } from './promises/companions.ts'
import { crmFullPromises } from './promises/crm-full.ts'
import { failurePromises } from './promises/failures.ts'
import { fatePromises } from './promises/fates.ts'
import { governorPromises } from './promises/governors.ts'
import { identityPromises } from './promises/identity.ts'
import { jobPromises } from './promises/jobs.ts'
import { joinPromises } from './promises/joins.ts'
import { ownershipPromises } from './promises/ownership.ts'
import { recordPromises } from './promises/records.ts'
import { safetyPromises } from './promises/safety.ts'
import { setUpPromises } from './promises/set-up.ts'
import { type ConnectorPromise, type ConnectorUnderTest, World } from './promises/world.ts'

export const promises: readonly ConnectorPromise[] = [
  ...setUpPromises,
  ...recordPromises,
  ...columnPromises,
  ...ownershipPromises,
  ...failurePromises,
  ...answerPromises,
  ...crmFullPromises,
  ...governorPromises,
  ...safetyPromises,
  ...jobPromises,
  ...adoptionPromises,
  ...identityPromises,
  ...changePromises,
  ...fatePromises,
  ...companionPromises,
  ...joinPromises,
]

/** What a connector of this kind owes. */
export const owedBy = ({
  connector,
  speaksTo,
  jobs,
  joins,
  adoption,
  companions,
  noRoom,
  limitRows,
  ownershipName,
  rowsNameNoLead,
  fixedKeys,
}: ConnectorUnderTest): readonly ConnectorPromise[] =>
  promises
    .filter(({ ofServers }) => ofServers !== true || speaksTo === 'server')
    .filter(({ ofRenewals }) => ofRenewals !== true || fixedKeys === undefined)
    .filter(({ ofNamedRows }) => ofNamedRows !== true || rowsNameNoLead === undefined)
    .filter(({ ofOwnership }) => ofOwnership !== true || ownershipName !== undefined)
    .filter(({ ofJobs }) => ofJobs !== true || jobs !== undefined)
    .filter(({ ofJoins }) => ofJoins !== true || joins !== undefined)
    .filter(({ ofRoom }) => ofRoom !== true || noRoom !== undefined)
    .filter(({ ofGovernors }) => ofGovernors !== true || limitRows !== undefined)
    .filter(({ ofCompanions }) => ofCompanions !== true || companions !== undefined)
    .filter(({ ofAdoption }) => ofAdoption !== true || adoption !== undefined)
    .filter(({ ofLooseMatches }) => ofLooseMatches !== true || adoption?.several === true)
    .filter(({ ofMappings }) => ofMappings !== true || connector.heedsOverrides === true)

export function describeConnector(subject: ConnectorUnderTest): void {
  describe(`the connector ${subject.connector.name}`, () => {
    test.each(owedBy(subject))('$title', async (promise) => {
      await prove(promise, subject)
    })
  })
}

export async function prove(promise: ConnectorPromise, subject: ConnectorUnderTest): Promise<void> {
  const world = await World.create(subject)
  try {
    await promise.prove(world)
  } finally {
    await world.close()
  }
}
