/** An address of two servers: the primary is killed, its standby promoted, and the old one comes back unfenced. */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { createCustomer } from '../support/api.ts'
import { figure } from '../support/figures.ts'
import { untilAtWork, useQueuedRuns } from './support/queued-runs.ts'
import { useReplicatedDatabase } from './support/replicated-database.ts'
import { expectOnlyShedding, useRunningPanji } from './support/running-panji.ts'

/** Each kill comes later into the import than the one before it. */
const kills = Array.from({ length: figure(1, 20) }, (_, place) => ({ kill: place + 1, afterMs: place * 90 }))

describe.each(kills)('kill $kill of the primary', ({ kill, afterMs }) => {
  const database = useReplicatedDatabase()
  const panji = useRunningPanji(database)
  const runs = useQueuedRuns(database, 4_000)

  test('loses nothing that was acknowledged, sheds callers until the promotion, and the old primary is left alone when it is back', async () => {
    const { apiKey } = await createCustomer(database.db)
    const logIn = async () => {
      const response = await fetch(`${panji.apiUrl}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: apiKey }),
      })
      const body = (await response.json()) as { token?: { access_token: string } }
      return body.token?.access_token ?? ''
    }
    const acknowledged: string[] = []
    /** A watchlist is acknowledged with its id. */
    const note = async (name: string) => {
      const response = await fetch(`${panji.apiUrl}/api/watchlist`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await logIn()}` },
        body: JSON.stringify({ name, watchlist_type: 'company', entities: [] }),
      })
      if (response.ok) acknowledged.push(name)
      return response.status
    }
    const kept = async () =>
      (await database.db.query<{ name: string }>('SELECT name FROM access.watchlist')).map(({ name }) => name)

    const client = await panji.startAsking()
    const run = await runs.enqueue()
    await untilAtWork(database.db, run.runId)
    let isKilled = false
    const noting = (async () => {
      for (let each = 0; !isKilled; each++) await note(`before ${each}`)
    })()
    // How far the import gets is what the kills differ in.
    await delay(afterMs)
    await database.kill('first')
    isKilled = true
    const killedAt = Date.now()
    await database.promote()
    await noting
    await vi.waitFor(async () => expect(await note('after')).toBe(201), { timeout: 60_000, interval: 50 })
    const gapMs = Date.now() - killedAt
    expect(gapMs).toBeLessThan(20_000)
    await runs.expectSameEnd(run, 60_000)
    expect(await kept()).toEqual(expect.arrayContaining(acknowledged))

    await database.startAgain('first')
    const newcomer = openDb({ connectionString: database.url, applicationName: 'panji-test-newcomer' })
    const timeline = `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline`
    expect(await newcomer.query(timeline)).toEqual([{ timeline: '00000002' }])
    await newcomer.close()
    expect(await note('beside the old primary')).toBe(201)
    const strayed = `SELECT FROM access.watchlist WHERE name IN ('after', 'beside the old primary')`
    expect(await database.eyesOn('first').query(strayed)).toEqual([])
    expectOnlyShedding(await client.stop())
    expect(panji.process.child.exitCode).toBeNull()
    console.log(`kill ${kill}, ${afterMs} ms into the import: writes taken again after ${gapMs} ms`)
  })
})
