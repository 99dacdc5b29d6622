import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  finishedStatuses,
  isAtRest,
  openStatuses,
  runMoves,
  runStatuses,
  statusesBefore,
} from '../../../src/ingest/run/transitions.ts'

const folder = new URL('../../../migrations/', import.meta.url)
const [migration = ''] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .filter((text) => text.includes('CREATE TABLE ingest.run ('))

test('the database knows the same statuses of a run as the code', () => {
  const list = /CREATE TABLE ingest\.run \([^;]*?CHECK \(status IN \(([^)]*)\)/.exec(migration)?.[1] ?? ''
  expect([...list.matchAll(/'([a-z_]+)'/g)].map((match) => match[1])).toEqual([...runStatuses])
})

test('every status is open, finished or waits for an operator, and only one of these', () => {
  expect([...openStatuses, 'needs_approval', ...finishedStatuses].toSorted()).toEqual(runStatuses.toSorted())
  expect(runStatuses.filter(isAtRest)).toEqual(['needs_approval', ...finishedStatuses])
})

test('a run that was applied, found known, discarded, cancelled or only previewed moves nowhere', () => {
  for (const ended of ['succeeded', 'no_op', 'discarded', 'cancelled', 'previewed'] as const)
    expect(runMoves[ended]).toEqual([])
})

test('an attempt claims what is open or failed, and an operator decides about what waits for him alone', () => {
  expect(statusesBefore('fetching')).toEqual([...openStatuses, 'failed'])
  expect(statusesBefore('discarded')).toEqual(['needs_approval'])
  expect(statusesBefore('needs_approval')).toEqual(['fetching', 'merging'])
})

test('the functions by which operators decide know the same statuses', () => {
  const textOf = (name: string) => readFileSync(new URL(`functions/ingest.${name}.sql`, folder), 'utf8')
  const statusesIn = (text: string) => [...text.matchAll(/'([a-z_]+)'/g)].map((match) => match[1])
  const cancelled = /status IN \(([^)]*)\)/.exec(textOf('cancel_run'))?.[1] ?? ''
  expect(statusesIn(cancelled)).toEqual(statusesBefore('cancelled'))
  for (const name of ['approve_run', 'discard_run'])
    expect(textOf(name)).toContain(`status = 'needs_approval' RETURNING`)
  expect(statusesBefore('queued')).toContain('needs_approval')
})

test('every open run can fail, and nothing else can', () => {
  expect(statusesBefore('failed')).toEqual([...openStatuses])
})
