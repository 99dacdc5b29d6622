/** Places sleep until they are woken: for what can start now, and for nothing else. */
import { expect, test } from 'vitest'
import { wakePollers } from '../../../src/queue/wake-pollers.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const places = new Map([
  ['build-leads', ['first', 'second']],
  ['sweep-expired', ['third']],
  ['keep-subscriptions', ['fourth']],
  ['collect-words', ['fifth']],
])

test('the places of a queue are woken for a job that is due, and not for one of later, one that runs or one that ended', async () => {
  const { db } = database
  const woken = async () => {
    const told: string[] = []
    await wakePollers(database.as('panji_worker'), { notifyWorker: (place) => told.push(place) }, places)
    return told.toSorted()
  }
  const job = (name: string, state: string, startAfter: string) =>
    db.execute(`INSERT INTO pgboss.job (name, state, start_after) VALUES ($1, $2, now() + $3::interval)`, [
      ...[name, state, startAfter],
    ])
  expect(await woken()).toEqual([])
  await job('sweep-expired', 'created', '1 hour')
  await job('keep-subscriptions', 'active', '-1 hour')
  await job('collect-words', 'completed', '-1 hour')
  expect(await woken()).toEqual([])
  await job('build-leads', 'created', '-1 second')
  expect(await woken()).toEqual(['first', 'second'])
  await job('sweep-expired', 'retry', '-1 second')
  expect(await woken()).toEqual(['first', 'second', 'third'])
})
