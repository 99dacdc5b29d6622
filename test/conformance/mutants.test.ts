/**
 * The suite under test: connectors that break one promise each, and the promise that has to notice. A promise that no
 * mutant breaks would be a promise that nobody proves.
 */
import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../sandboxes/contract.ts'
import { oneOf } from '../support/figures.ts'
import { owedBy, promises, prove } from './connector-suite.ts'
import { adoptionMutations } from './mutants/adoption.ts'
import { answerMutations } from './mutants/answers.ts'
import { changeMutations } from './mutants/changes.ts'
import { columnMutations } from './mutants/columns.ts'
import { companionMutations } from './mutants/companions.ts'
import { crmFullMutations } from './mutants/crm-full.ts'
import { failureMutations } from './mutants/failures.ts'
import { fateMutations } from './mutants/fates.ts'
import { governorMutations } from './mutants/governors.ts'
import { identityMutations } from './mutants/identity.ts'
import { jobMutations } from './mutants/jobs.ts'
import { joinMutations } from './mutants/joins.ts'
import { ownershipMutations } from './mutants/ownership.ts'
import { recordMutations } from './mutants/records.ts'
import { safetyMutations } from './mutants/safety.ts'
import { setUpMutations } from './mutants/set-up.ts'
import type { Mutation } from './mutants/wrappers.ts'
import type { ConnectorUnderTest } from './promises/world.ts'
import { salesforceAccountSubject, salesforceBulkSubject, subjects } from './subjects.ts'

const mutations: readonly Mutation[] = [
  ...setUpMutations,
  ...recordMutations,
  ...columnMutations,
  ...ownershipMutations,
  ...failureMutations,
  ...answerMutations,
  ...crmFullMutations,
  ...governorMutations,
  ...safetyMutations,
  ...jobMutations,
  ...adoptionMutations,
  ...identityMutations,
  ...changeMutations,
  ...fateMutations,
  ...companionMutations,
  ...joinMutations,
]

test('each promise is broken by a mutant, and each mutant breaks a promise', () => {
  const titles = promises.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  expect(new Set(mutations.map(({ breaks }) => breaks))).toEqual(new Set(titles))
})

const owes = (subject: ConnectorUnderTest, { breaks }: Mutation) =>
  owedBy(subject).some(({ title }) => title === breaks)

/** The engine is one for all connectors, so one of those that owe a promise shows that its breach is noticed. */
const isShownBy = (subject: ConnectorUnderTest, mutation: Mutation, place: number) =>
  oneOf(
    subjects.filter((each) => owes(each, mutation)),
    place,
  ).includes(subject)

describe.each(subjects)('a mutant of $connector.name', (subject) => {
  test.each(mutations.filter((mutation, place) => isShownBy(subject, mutation, place)))(
    'that $fault fails: $breaks',
    async ({ breaks, mutate, patch }) => {
      const promise = promises.find(({ title }) => title === breaks)
      if (promise === undefined) throw new Error(`no promise is titled ${breaks}`)
      const undo = patch?.() ?? (() => {})
      try {
        await expect(prove(promise, mutant(subject, mutate))).rejects.toThrow()
      } finally {
        undo()
      }
    },
  )
})

/** What a connector does in a second way of its own, broken there: as jobs, and as two records of a lead. */
describe.each([
  { whose: 'whose leads go as jobs', subject: salesforceBulkSubject, of: jobMutations },
  {
    whose: 'whose leads are an account and its person',
    subject: salesforceAccountSubject,
    of: [...companionMutations, ...recordMutations, ...ownershipMutations, ...adoptionMutations, ...identityMutations],
  },
])('a mutant $whose', ({ subject, of }) => {
  test.each(of)('that $fault fails: $breaks', async ({ breaks, mutate }) => {
    const promise = promises.find(({ title }) => title === breaks)
    if (promise === undefined) throw new Error(`no promise is titled ${breaks}`)
    await expect(prove(promise, mutant(subject, mutate))).rejects.toThrow()
  })
})

function mutant(subject: ConnectorUnderTest, mutate: Mutation['mutate']): ConnectorUnderTest {
  const made: Sandbox[] = []
  const keep = (sandbox: Sandbox) => {
    made.push(sandbox)
    return sandbox
  }
  const latest = () => made.at(-1) ?? keep(subject.createSandbox())
  return {
    ...subject,
    connector: mutate(subject.connector, latest),
    createSandbox: () => keep(subject.createSandbox()),
    createGuardedSandbox: () => keep(subject.createGuardedSandbox()),
  }
}
