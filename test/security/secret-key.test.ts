/** A wrong or lost PANJI_SECRET_KEY is told before anything runs, and a rotation of it logs nobody out. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectors } from '../../connectors/index.ts'
import { claimIdempotencyKey } from '../../src/access/idempotency.ts'
import { createKeyRing, rotateSigningKey } from '../../src/access/signing-keys.ts'
import { adoptNextSecretKey, nextSecretKeyOf, secretKeysOf } from '../../src/cli/instance/secrets.ts'
import { announceOfDestination } from '../../src/deliver/destinations/announce.ts'
import { listDestinations } from '../../src/deliver/destinations/destination-view.ts'
import {
  addDestination,
  pauseDestination,
  removeDestination,
  updateDestination,
} from '../../src/deliver/destinations/destinations.ts'
import { reconcile } from '../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../src/deliver/push/request-push.ts'
import { wakeDue } from '../../src/deliver/push/wake.ts'
import { recallLeads } from '../../src/deliver/recall/recall-leads.ts'
import { Secret } from '../../src/domain/secret.ts'
import { AppError } from '../../src/errors.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { type KeptInput, keepInput, wholeInput } from '../../src/ingest/run/source-address.ts'
import { sendNotices } from '../../src/notify/webhooks/send-notices.ts'
import { addWebhook } from '../../src/notify/webhooks/webhooks.ts'
import { type QueueHandle, startQueue } from '../../src/queue/queue.ts'
import { checkSecretKey, sealingKey } from '../../src/secrets/canary.ts'
import { SecretKeyChain } from '../../src/secrets/key-chain.ts'
import { forgetSealed, rotateSecretKey } from '../../src/secrets/rotate.ts'
import { seal } from '../../src/secrets/seal.ts'
import { keptAnswerColumn, sealedColumns } from '../../src/secrets/sealed-columns.ts'
import { gstLead } from '../conformance/sample-leads.ts'
import { insertOrder } from '../integration/deliver/paid-order.ts'
import { buildTestServer, createCustomer, recordJobs } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { useIngest } from '../support/ingest.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const [old, next, wrong] = ['the-first-secret-key', 'the-second-secret-key', 'a-key-of-another-house'].map(
  (text) => new Secret(text),
) as [Secret, Secret, Secret]
const hubspot = { connector: 'hubspot', settings: { access_token: 'pat-secret-of-the-crm' } }
const partsWith = (secretKey: Secret) => ({ db: database.db, connectors, secretKey })
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

let queue: QueueHandle
beforeAll(async () => {
  queue = await startQueue({ connectionString: database.url, supervise: false, onError: () => {} })
})
afterAll(() => queue.stop())

/** A database sealed under the first key, with one signing key and one destination of a customer. */
let accountId: string
let apiKey: string
beforeEach(async () => {
  const { db } = database
  await db.execute('DELETE FROM runtime.secret_canary')
  await db.execute('DELETE FROM runtime.suppression_key')
  await db.execute('DELETE FROM access.signing_key')
  for (const table of ['notice', 'webhook', 'event', 'recall', 'delivery', 'record', 'push'])
    await db.execute(`DELETE FROM deliver.${table}`)
  await db.execute('DELETE FROM deliver.destination')
  await db.execute('DELETE FROM access.idempotency')
  await db.execute('DELETE FROM runtime.schedule')
  await db.execute('DELETE FROM ingest.run')
  await queue.boss.deleteAllJobs('fetch-source')
  const customer = await createCustomer(db)
  ;({ accountId, apiKey } = customer)
  await createKeyRing(old).current(db)
  await addDestination(db, connectors, old, { accountId, name: 'CRM', ...hubspot })
})
const rotate = (keys: Secret, to: Secret) => database.db.transaction((tx) => rotateSecretKey(tx, keys, to))
const settingsUnder = async (key: Secret) =>
  (await listDestinations(partsWith(key), accountId)).map(({ status, settings }) => [status, settings['access_token']])
const open = [['active', '[hidden]']]
const broken = [['broken', undefined]]

const source = 'https://reader:of-the-registry@registry.example/goa.csv?token=of-the-file'
/** Of the schedule, the two jobs and the run. */
const everyAddress = [source, source, source, source]

/** Addresses in every place that keeps them, and more kept answers than are held at once, sealed under `key`. */
async function keepSealed(key: Secret): Promise<void> {
  const { db } = database
  const payload = () => JSON.stringify({ source: 'mca-companies', ...keepInput(source, key) })
  const kept = keepInput(source, key)
  await db.execute(
    `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin)
     VALUES ('goa', '0 0 1 1 *', 'Asia/Kolkata', 'fetch-source', $1, 'operator')`,
    [payload()],
  )
  await queue.boss.send('fetch-source', JSON.parse(payload()))
  await queue.boss.send('fetch-source', JSON.parse(payload()))
  await db.execute(
    `INSERT INTO ingest.run (source, input, sealed_input, mode, as_of, force, status)
     VALUES ('mca-companies', $1, $2, 'snapshot', '2025-01-01', false, 'failed')`,
    [kept.input, kept.sealed],
  )
  const keys = Array.from({ length: 1201 }, (_, index) => `key-${index}`)
  const sealed = keys.map((each) =>
    seal('answered', { purpose: keptAnswerColumn.purpose, boundTo: `${accountId}|${each}` }, key),
  )
  await db.execute(
    `INSERT INTO access.idempotency (account_id, key, request_sha256, claim_id, status, sealed)
     SELECT $1, each, '', gen_random_uuid(), 200, sealed FROM unnest($2::text[], $3::bytea[]) AS given (each, sealed)`,
    [accountId, keys, sealed],
  )
}

/** What each sealed address is read as. */
async function opened(key: Secret): Promise<string[]> {
  const rows = await database.db.query<KeptInput>(
    `SELECT 1 AS place, payload ->> 'input' AS input, payload ->> 'sealed' AS sealed FROM runtime.schedule WHERE name = 'goa'
     UNION ALL SELECT 2, data ->> 'input', data ->> 'sealed' FROM pgboss.job WHERE name = 'fetch-source'
     UNION ALL SELECT 3, input, sealed_input FROM ingest.run ORDER BY place`,
  )
  return rows.map((row) => {
    try {
      return wholeInput(row, key)
    } catch (error) {
      return error instanceof AppError ? error.code : String(error)
    }
  })
}

async function answersUnder(secretKey: Secret): Promise<string[]> {
  const answers: string[] = []
  for (let index = 0; index < 1201; index++) {
    const claim = { accountId, key: `key-${index}`, requestSha256: Buffer.of(), answerWithEffect: false, secretKey }
    const said = await claimIdempotencyKey(database.db, claim).catch((error: unknown) => error)
    if (said instanceof AppError) answers.push(said.code)
    else answers.push((said as { body: string }).body)
  }
  return answers
}

async function serverWith(secretKey: Secret) {
  const server = await buildTestServer(database, recordJobs(), [], { secretKey })
  const logIn = () => server.inject({ method: 'POST', url: '/api/auth/login', payload: { api_key: apiKey } })
  const profile = (token: string) =>
    server.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })
  return { server, logIn, profile, ready: () => server.inject({ url: '/readyz' }) }
}

describe('a wrong secret key', () => {
  test('makes /readyz and the login a 503 that names the variable, while tokens signed before stay good', async () => {
    const right = await serverWith(old)
    const { token } = (await right.logIn()).json()
    expect((await right.ready()).statusCode).toBe(200)
    const other = await serverWith(wrong)
    for (const reply of [await other.ready(), await other.logIn()]) {
      expect([reply.statusCode, reply.json().error_code]).toEqual([503, 'SECRET_KEY_WRONG'])
      expect(reply.json().detail).toContain('PANJI_SECRET_KEY')
    }
    expect((await other.profile(token.access_token)).statusCode).toBe(200)
    await Promise.all([right.server.close(), other.server.close()])
  })

  test('seals nothing, and shows destinations as broken instead of failing whole', async () => {
    expect(await settingsUnder(wrong)).toEqual(broken)
    const added = addDestination(database.db, connectors, wrong, { accountId, name: 'Other', ...hubspot })
    await expect(added).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' })
    const [row] = await listDestinations(partsWith(wrong), accountId)
    expect(row?.status_reason).toContain('PANJI_SECRET_KEY')
    await removeDestination(partsWith(wrong), row?.destination_id ?? '')
    expect(await settingsUnder(old)).toEqual([])
  })

  test('fails no run of an address that it does not open: the run waits for the process that has the right one', async () => {
    const kept = keepInput('https://reader:of-the-registry@127.0.0.1:1/nic.csv?token=of-the-file', old)
    const { runId } = await database.db.transaction((tx) => requestRun(tx, ingest.queue, { source: 'nic', ...kept }))
    const attempt = (secretKey: Secret) => runSnapshot({ ...ingest.dependencies(), secretKey }, runId)
    const told = () =>
      database.db.query(`SELECT status, error ->> 'code' AS code FROM ingest.run WHERE run_id = $1`, [runId])
    await expect(attempt(wrong)).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG', retry: 'patiently' })
    expect(await told()).toEqual([{ status: 'queued', code: 'SECRET_KEY_WRONG' }])
    // The address opens; nobody listens there.
    await expect(attempt(old)).rejects.toMatchObject({ message: expect.stringContaining('could not be fetched') })
  })

  test('breaks no destination and fails no recall and no notice: they wait, and no account is told', async () => {
    const { db } = database
    const [row] = await listDestinations(partsWith(old), accountId)
    const destinationId = row?.destination_id ?? ''
    const orderId = await insertOrder(db, accountId, [gstLead(1)])
    await db.transaction((tx) => requestPush(tx, recordJobs(), { orderId, destinationId }))
    await addWebhook(db, old, { accountId, url: 'https://example.com/hook' })
    await db.execute(`INSERT INTO deliver.recall (destination_id, external_id) VALUES ($1, 'company:X')`, [
      destinationId,
    ])
    await db.transaction((tx) => announceOfDestination(tx, destinationId, 'destination.recovered', {}))
    const stored = () =>
      Promise.all([
        db.query('SELECT status, failure FROM deliver.destination'),
        db.query('SELECT status, attempts FROM deliver.recall'),
        db.query('SELECT state, attempts, last_error FROM deliver.notice'),
        db.query('SELECT type FROM deliver.event'),
      ])
    const before = await stored()
    const { signal } = new AbortController()
    const report = await reconcile(partsWith(wrong), destinationId, signal)
    expect(report).toMatchObject({ touched: 0, failure: { code: 'SECRET_KEY_WRONG' } })
    // It is not due at once again: a worker would start a job every two seconds.
    expect(await wakeDue(db, recordJobs())).toBe(0)
    await expect(recallLeads(partsWith(wrong), signal)).rejects.toMatchObject({ retry: 'patiently' })
    expect(await sendNotices({ db, secretKey: wrong, allowPrivate: false }, signal)).toEqual({ sent: 0 })
    expect(await stored()).toEqual(before)
  })

  test('is told also by a database of the release before, which has no canary', async () => {
    for (const missing of ['access.signing_key', 'deliver.destination']) {
      await database.db.execute('DELETE FROM runtime.secret_canary')
      await database.db.execute(`DELETE FROM ${missing}`)
      const claim = (key: Secret) => database.db.transaction((tx) => sealingKey(tx, key))
      if (missing === 'access.signing_key') {
        await expect(claim(wrong)).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' })
        await claim(old)
      } else await claim(wrong)
    }
  })
})

describe('the command line', () => {
  let home: PanjiHome
  beforeAll(() => {
    home = panjiHome({ DATABASE_URL: database.url, PANJI_SECRET_KEY: wrong.reveal(), LOG_LEVEL: 'silent' })
  })
  afterAll(() => home.remove())

  test('with a wrong key refuses to start in one sentence, and the doctor says why', async () => {
    const { code, stderr, stdout } = await home.run('start', '--json').ended
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'SECRET_KEY_WRONG'])
    expect(stderr).toContain('panji: PANJI_SECRET_KEY is not the key that this database is sealed under.')
    expect(stderr).not.toMatch(/\n\s+at /)
    const doctor = await home.json('doctor')
    expect(doctor.code).toBe(1)
    const { checks } = doctor.answer as { checks: { name: string; ok: boolean; detail: string }[] }
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      { name: 'secret key', ok: false, detail: expect.stringContaining('PANJI_SECRET_KEY') },
    ])
    expect(checks.map(({ name }) => name)).toContain('ledger')
  }, 120_000)

  test('rotates a key of the environment to one of a file, and says which variable to change', async () => {
    const folder = panjiHome({ DATABASE_URL: database.url, PANJI_SECRET_KEY: old.reveal(), LOG_LEVEL: 'silent' })
    folders.push(folder.dataDir)
    expect((await folder.json('secrets', 'rotate')).code).toBe(2)
    const file = join(folder.dataDir, 'new-key')
    writeFileSync(file, `${next.reveal()}\n`)
    const { code, answer, stderr } = await folder.json('secrets', 'rotate', '--new-key-file', file, '--signing-key')
    expect([code, answer]).toEqual([
      0,
      {
        key_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        previous_key_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        resealed: {
          'access.signing_key': 1,
          'deliver.destination': 1,
          'deliver.consent': 0,
          'deliver.receipt_key': 0,
          'deliver.webhook': 0,
          'access.operator_totp': 0,
          'access.person_totp': 0,
          'access.idempotency': 0,
          'runtime.alert_channel': 0,
          'runtime.schedule': 0,
          'runtime.suppression_key': 1,
          'pgboss.job': 0,
          'ingest.run': 0,
        },
        signing_key: expect.any(String),
        next: expect.stringContaining('PANJI_SECRET_KEY'),
      },
    ])
    expect(JSON.stringify(answer) + stderr).not.toContain(next.reveal())
    expect(await settingsUnder(next)).toEqual(open)
    expect(await settingsUnder(old)).toEqual(broken)
  }, 120_000)
})

describe('a rotation', () => {
  test('logs nobody out, and processes that know both keys go on through it', async () => {
    const both = await serverWith(new SecretKeyChain(old, [next]))
    const { token } = (await both.logIn()).json()
    await database.db.transaction(async (tx) => {
      await rotateSecretKey(tx, new SecretKeyChain(old, [next]), next)
      await rotateSigningKey(tx, next)
    })
    expect((await both.ready()).statusCode).toBe(200)
    expect((await both.logIn()).statusCode).toBe(200)
    expect((await both.profile(token.access_token)).statusCode).toBe(200)
    expect(await settingsUnder(new SecretKeyChain(old, [next]))).toEqual(open)
    // What such a process seals after the rotation lies under the new key.
    const chain = new SecretKeyChain(old, [next])
    await addDestination(database.db, connectors, chain, { accountId, name: 'Second', ...hubspot })

    const renewed = await serverWith(next)
    expect((await renewed.ready()).statusCode).toBe(200)
    expect((await renewed.profile(token.access_token)).statusCode).toBe(200)
    const refresh = { refresh_token: token.refresh_token }
    const refreshed = await renewed.server.inject({ method: 'POST', url: '/api/auth/refresh-token', payload: refresh })
    expect(refreshed.statusCode).toBe(200)
    expect(await settingsUnder(next)).toEqual([...open, ...open])
    await expect(checkSecretKey(database.db, old)).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' })
    await Promise.all([both.server.close(), renewed.server.close()])
  })

  test('leaves nothing under the old key that was sealed while it ran', async () => {
    const chain = new SecretKeyChain(old, [next])
    await database.db.execute('UPDATE access.account SET is_enterprise = true WHERE account_id = $1', [accountId])
    const names = Array.from({ length: 12 }, (_, index) => `CRM ${index}`)
    const adding = names.map((name) => addDestination(database.db, connectors, chain, { accountId, name, ...hubspot }))
    await Promise.all([...adding.slice(0, 6), rotate(chain, next), ...adding.slice(6)])
    expect(await settingsUnder(next)).toEqual(Array.from({ length: 13 }, () => open[0]))
  })

  test('with a wrong key, or over a value that does not open, changes nothing', async () => {
    await expect(rotate(wrong, next)).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' })
    await database.db.execute(`UPDATE access.signing_key SET private_encrypted = '\\x0102'`)
    await expect(rotate(old, next)).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' })
    expect(await settingsUnder(old)).toEqual(open)
    await checkSecretKey(database.db, old)
  })

  test('of the data directory is followed by a running process, and ends well wherever it was cut off', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'panji-secrets-'))
    folders.push(dataDir)
    const settings = { dataDir, secretKey: undefined, nextSecretKey: undefined }
    await database.db.execute('DELETE FROM runtime.secret_canary')
    await database.db.execute('DELETE FROM access.signing_key')
    await database.db.execute('DELETE FROM deliver.destination')
    const running = secretKeysOf(settings)
    await addDestination(database.db, connectors, running, { accountId, name: 'CRM', ...hubspot })
    for (let round = 0; round < 2; round++) {
      // Cut off before the commit, and after it: the same next key is taken again.
      const planned = nextSecretKeyOf(dataDir).reveal()
      expect(nextSecretKeyOf(dataDir).reveal()).toBe(planned)
      await rotate(secretKeysOf(settings), nextSecretKeyOf(dataDir))
      for (const keys of [running, secretKeysOf(settings)]) expect(await settingsUnder(keys)).toEqual(open)
      await rotate(secretKeysOf(settings), nextSecretKeyOf(dataDir))
      adoptNextSecretKey(dataDir)
      expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toBe(planned)
      for (const keys of [running, secretKeysOf(settings), new Secret(planned)])
        expect(await settingsUnder(keys)).toEqual(open)
    }
    expect(readdirSync(dataDir).toSorted()).toEqual(['secret-key', 'secret-key.previous'])
    for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  })

  test('seals every column anew that holds something sealed', async () => {
    const found = await database.db.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE data_type IN ('bytea', 'text') AND table_schema NOT IN ('pg_catalog', 'information_schema', 'pgboss')
         AND column_name !~ 'sha256' AND column_name ~ 'seal|crypt|secret'`,
    )
    // Of JSON the catalog tells nothing.
    const columns = sealedColumns.filter(({ form }) => form !== 'json')
    const listed = columns.map(({ table, column }) => `${table}.${column}`)
    expect(found.map(({ name }) => name).toSorted()).toEqual([...listed, 'runtime.secret_canary.sealed'].toSorted())
  })

  test('opens addresses with credentials and kept answers under the new key alone, in whatever form they lie', async () => {
    await keepSealed(old)
    expect(await opened(old)).toEqual(everyAddress)
    const { resealed } = await rotate(old, next)
    expect(resealed).toMatchObject({
      'access.idempotency': 1201,
      'runtime.schedule': 1,
      'pgboss.job': 2,
      'ingest.run': 1,
    })
    expect(await opened(next)).toEqual(everyAddress)
    expect(await opened(old)).toEqual(everyAddress.map(() => 'SOURCE_UNREADABLE'))
    // A run is still recognised as one of its schedule.
    const kept = await database.db.query(
      `SELECT payload ->> 'sealed' AS sealed FROM runtime.schedule UNION SELECT sealed_input FROM ingest.run WHERE sealed_input <> ''`,
    )
    expect(kept).toEqual([{ sealed: keepInput(source, next).sealed }])
    expect(await answersUnder(next)).toEqual(Array.from({ length: 1201 }, () => 'answered'))
    expect(new Set(await answersUnder(old))).toEqual(new Set(['CONFLICT']))
  })

  test('is not held up by a run or an answer that opens no more, and is by a schedule', async () => {
    await keepSealed(wrong)
    await expect(rotate(old, next)).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' })
    await database.db.execute('DELETE FROM runtime.schedule')
    const { resealed } = await rotate(old, next)
    expect(resealed).toMatchObject({ 'access.idempotency': 0, 'pgboss.job': 0, 'ingest.run': 0 })
    expect(await opened(wrong)).toEqual(everyAddress.slice(1))
  })

  test('of a key that is lost leaves no address that is fetched without its credentials, and the next one is not held up', async () => {
    await keepSealed(old)
    await database.db.transaction((tx) => forgetSealed(tx, next))
    expect(await opened(next)).toEqual(everyAddress.map(() => 'SOURCE_UNREADABLE'))
    expect(new Set(await answersUnder(next))).toEqual(new Set(['CONFLICT']))
    await rotate(next, old)
    await checkSecretKey(database.db, old)
  })

  test('of a key that is lost forgets what it sealed, says so, and lets the house open again', async () => {
    await database.db.transaction((tx) => forgetSealed(tx, wrong))
    const server = await serverWith(wrong)
    expect((await server.ready()).statusCode).toBe(200)
    expect((await server.logIn()).statusCode).toBe(200)
    const [row] = await listDestinations(partsWith(wrong), accountId)
    expect(row).toMatchObject({ status: 'broken', status_reason: expect.stringContaining('lost'), settings: {} })
    await server.server.close()
  })

  test('of a key that is lost resumes no destination that its owner paused, once it has settings again', async () => {
    const parts = partsWith(wrong)
    const running = (await listDestinations(partsWith(old), accountId))[0]?.destination_id ?? expect.unreachable()
    const paused = await addDestination(database.db, connectors, old, { accountId, name: 'Paused', ...hubspot })
    await pauseDestination(partsWith(old), paused.destination_id)
    await database.db.transaction((tx) => forgetSealed(tx, wrong))
    const lost = { status: 'broken', status_reason: expect.stringContaining('lost with the secret key'), settings: {} }
    expect(await listDestinations(parts, accountId)).toMatchObject([lost, lost])
    const renewed = (id: string) => updateDestination(parts, id, { settings: hubspot.settings })
    expect(await renewed(running)).toMatchObject({ status: 'active', status_reason: null })
    expect(await renewed(paused.destination_id)).toMatchObject({ status: 'paused', status_reason: 'paused by request' })
  })
})
