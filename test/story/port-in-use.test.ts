/** An instance whose port is taken ends as it came: what waits in its queue goes on waiting. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { holdWorkerPresence } from '../../src/queue/worker-presence.ts'
import { useTestDatabase } from '../support/database.ts'
import { panjiProgram } from '../support/panji-program.ts'

const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-taken-port-'))
const taken = createServer()
afterAll(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['PORT', 'all'],
  ['PANJI_PROBE_PORT', 'worker'],
])('who starts with a %s that is taken is told so, and has taken no job', async (variable, role) => {
  if (!taken.listening) await once(taken.listen(0, '127.0.0.1'), 'listening')
  const { port } = taken.address() as AddressInfo
  const { run, json } = panjiProgram({
    DATABASE_URL: database.url,
    PANJI_DATA_DIR: folder,
    PANJI_SECRET_KEY: 'a-key-of-sixteen-characters',
    PANJI_SAMPLE: 'off',
    [variable]: String(port),
  })
  const file = join(folder, `${variable}.csv`)
  writeFileSync(file, 'officename,pincode,Districtname,statename\nPanaji H.O,403001,NORTH GOA,GOA\n')
  await json('migrate')
  // Beside a worker elsewhere the command leaves its job to that one, which goes before it takes it.
  const elsewhere = await holdWorkerPresence(database.db)
  const { code: enqueued, answer } = await json('ingest', 'pincodes', file, '--no-wait')
  await elsewhere.release()
  expect([enqueued, answer]).toMatchObject([0, { status: 'queued' }])
  const { run_id: runId } = answer as { readonly run_id: number }
  const { code, stderr } = await run('start', '--role', role)
  expect([code, stderr]).toEqual([1, expect.stringContaining(`taken by another program (${variable})`)])
  const [row] = await database.db.query('SELECT status FROM ingest.run WHERE run_id = $1', [runId])
  expect(row).toEqual({ status: 'queued' })
})
