/** The audit log holds against whoever may write to the database: by privilege, and where that is broken, by its chain. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { retention } from '../../config/retention.ts'
import { sealAuditLogJob } from '../../jobs/seal-audit-log.ts'
import { verifyAuditLogJob } from '../../jobs/verify-audit-log.ts'
import { audit } from '../../src/audit/audit.ts'
import { chainHead, headStands, sealAuditLog } from '../../src/audit/chain.ts'
import { readHeadFile, writeHeadFile } from '../../src/audit/head-file.ts'
import { auditLogState, lastAuditLogProof } from '../../src/audit/prove-audit-log.ts'
import { pruneAuditLog } from '../../src/audit/prune-audit-log.ts'
import { verifyAuditLog } from '../../src/audit/verify-audit-log.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { JobContext } from '../../src/queue/define-job.ts'
import { recordJobs } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()

beforeAll(async () => {
  // A copied database has not the rights of its template on itself.
  await database.db.execute(`DELETE FROM runtime.sql_function WHERE name = 'roles'`)
  await migrate(database.db)
})

/** As an owner of the database who has switched the walls off. */
async function tamper(...statements: string[]): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    for (const statement of statements) await tx.execute(statement)
  })
}

beforeEach(async () => {
  await tamper('DELETE FROM access.audit', 'DELETE FROM access.audit_seal', 'DELETE FROM access.audit_checkpoint')
})

const act = (subject: string, detail: Record<string, unknown> = {}) =>
  audit(database.db, { actor: 'system', action: 'test', subject, detail })

async function auditLogOf(length: number): Promise<void> {
  for (let n = 1; n <= length; n++) await act(`row ${n}`, { n, null: null })
  await sealAuditLog(database.db)
}
const idAt = `(SELECT audit_id FROM access.audit_seal WHERE seq = 3)`

test('an audit log that nobody touched is whole, from its first row to its last, and verifying changes nothing', async () => {
  expect(await verifyAuditLog(database.db)).toMatchObject({ ok: true, rows: 0, from: null, broken: null })
  await auditLogOf(5)
  await act('not sealed yet')
  const verdict = await verifyAuditLog(database.db, [await chainHead(database.db)])
  expect(verdict).toMatchObject({ ok: true, rows: 5, waiting: 1, from: 1, broken: null, head: { seq: 5 } })
  expect(await sealAuditLog(database.db)).toBe(1)
  expect(await sealAuditLog(database.db, true)).toBe(0)
  expect(await verifyAuditLog(database.db, [verdict.head])).toMatchObject({ ok: true, rows: 6, waiting: 0 })
})

describe('the verifier names the row and the place of', () => {
  const changed = { place: 3, row: expect.any(Number), fault: 'changed' }
  for (const [what, statement] of [
    ['an actor', `UPDATE access.audit SET actor = 'nobody' WHERE audit_id = ${idAt}`],
    ['a time', `UPDATE access.audit SET at = at - interval '1 microsecond' WHERE audit_id = ${idAt}`],
    ['a detail', `UPDATE access.audit SET detail = '{"n": 4}' WHERE audit_id = ${idAt}`],
    ['an empty detail', `UPDATE access.audit SET detail = '{"n": 3}' WHERE audit_id = ${idAt}`],
    ['an address that was none', `UPDATE access.audit SET address = '10.0.0.1' WHERE audit_id = ${idAt}`],
    ['identifiers', `UPDATE access.audit SET identifiers = '{}' WHERE audit_id = ${idAt}`],
  ] as const) {
    test(`a change of ${what}`, async () => {
      await auditLogOf(5)
      await tamper(statement)
      expect((await verifyAuditLog(database.db)).broken).toMatchObject(changed)
    })
  }

  test('a row that was deleted', async () => {
    await auditLogOf(5)
    await tamper(`DELETE FROM access.audit WHERE audit_id = ${idAt}`)
    expect((await verifyAuditLog(database.db)).broken).toMatchObject({
      place: 3,
      fault: 'gone',
      row: expect.any(Number),
    })
  })

  test('a row that was deleted with its seal', async () => {
    await auditLogOf(5)
    await tamper(`DELETE FROM access.audit WHERE audit_id = ${idAt}`, 'DELETE FROM access.audit_seal WHERE seq = 3')
    const { broken } = await verifyAuditLog(database.db)
    expect(broken).toMatchObject({ place: 4, fault: 'gap', message: expect.stringContaining('3 to 3') })
  })

  test('the first rows, deleted without a checkpoint', async () => {
    await auditLogOf(5)
    await tamper(
      'DELETE FROM access.audit WHERE audit_id IN (SELECT audit_id FROM access.audit_seal WHERE seq < 3)',
      'DELETE FROM access.audit_seal WHERE seq < 3',
    )
    expect((await verifyAuditLog(database.db)).broken).toMatchObject({ place: 3, fault: 'gap' })
  })

  test('the first rows, deleted with a checkpoint that somebody made', async () => {
    await auditLogOf(5)
    await tamper(
      `INSERT INTO access.audit_checkpoint (seq, hash, rows, through) SELECT seq, hash, 2, now() FROM access.audit_seal WHERE seq = 2`,
      'DELETE FROM access.audit WHERE audit_id IN (SELECT audit_id FROM access.audit_seal WHERE seq < 3)',
      'DELETE FROM access.audit_seal WHERE seq < 3',
    )
    expect((await verifyAuditLog(database.db)).broken).toMatchObject({ place: 2, fault: 'early' })
  })

  test('a changed row whose seal was made to fit', async () => {
    await auditLogOf(5)
    await tamper(
      `UPDATE access.audit SET actor = 'nobody' WHERE audit_id = ${idAt}`,
      `UPDATE access.audit_seal s SET hash = sha256(previous || access.audit_digest(a)) FROM access.audit a
       WHERE a.audit_id = s.audit_id AND seq = 3`,
    )
    expect((await verifyAuditLog(database.db)).broken).toMatchObject({ place: 4, fault: 'link' })
  })

  test('a tail that was cut off, by a head that was kept elsewhere', async () => {
    await auditLogOf(5)
    const head = await chainHead(database.db)
    await tamper(
      'DELETE FROM access.audit WHERE audit_id IN (SELECT audit_id FROM access.audit_seal WHERE seq > 3)',
      'DELETE FROM access.audit_seal WHERE seq > 3',
    )
    expect(await verifyAuditLog(database.db)).toMatchObject({ ok: true, rows: 3 })
    expect((await verifyAuditLog(database.db, [head])).broken).toMatchObject({ place: 5, fault: 'cut' })
    expect(await headStands(database.db, head)).toBe(false)
  })

  test('a chain that was written anew from some row on, by a head that was kept elsewhere', async () => {
    await auditLogOf(5)
    const head = await chainHead(database.db)
    await tamper(
      `UPDATE access.audit SET actor = 'nobody' WHERE audit_id = ${idAt}`,
      'DELETE FROM access.audit_seal WHERE seq >= 3',
    )
    await sealAuditLog(database.db, true)
    expect(await verifyAuditLog(database.db)).toMatchObject({ ok: true, rows: 5 })
    expect((await verifyAuditLog(database.db, [head])).broken).toMatchObject({ place: 5, fault: 'rewritten' })
  })
})

test('many writers at once, and several who seal meanwhile, make one chain with every row in it', async () => {
  const writers = Array.from({ length: 8 }, (_, writer) =>
    Promise.all(Array.from({ length: 40 }, (_, n) => act(`writer ${writer} row ${n}`))),
  )
  const sealers = Array.from({ length: 4 }, async () => {
    for (let times = 0; times < 10; times++) await sealAuditLog(database.as('panji_api'))
  })
  await Promise.all([...writers, ...sealers])
  await sealAuditLog(database.as('panji_worker'))
  expect(await verifyAuditLog(database.db)).toMatchObject({ ok: true, rows: 320, waiting: 0, head: { seq: 320 } })
})

test('a row of a long transaction takes its place when it is there, behind rows with higher ids', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let written = () => {}
  const isWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const long = database.db.transaction(async (tx) => {
    await audit(tx, { actor: 'system', action: 'test', subject: 'long' })
    written()
    await held
  })
  await isWritten
  await auditLogOf(3)
  release()
  await long
  expect(await sealAuditLog(database.db)).toBe(1)
  expect(await verifyAuditLog(database.db)).toMatchObject({ ok: true, rows: 4, waiting: 0 })
})

test('rows that have had their time go, the chain goes on from a checkpoint, and a row tells of it', async () => {
  await tamper(
    `INSERT INTO access.audit (at, actor, action, subject)
     SELECT now() - interval '500 days', 'system', 'test', 'old ' || n FROM generate_series(1, 4) AS n`,
  )
  await auditLogOf(3)
  const old = await chainHead(database.db)
  expect(await pruneAuditLog(database.as('panji_worker'), retention.audit)).toBe(4)
  expect(await pruneAuditLog(database.as('panji_worker'), retention.audit)).toBe(0)
  await sealAuditLog(database.db)
  const verdict = await verifyAuditLog(database.db, [old, { seq: 2, hash: 'f'.repeat(64) }])
  expect(verdict).toMatchObject({ ok: true, rows: 4, from: 5, head: { seq: 8 } })
  const [told] = await database.db.query(`SELECT actor, subject, detail FROM access.audit WHERE action = 'prune audit'`)
  expect(told).toMatchObject({ actor: 'system', subject: 'seal 4', detail: { rows: 4, seq: 4 } })
  await tamper(`DELETE FROM access.audit WHERE action = 'prune audit'`)
  expect((await verifyAuditLog(database.db)).ok).toBe(false)
})

test('no period of less than a year is applied, and the one that ships is longer', async () => {
  expect(Number.parseInt(retention.audit, 10)).toBeGreaterThanOrEqual(365)
  await expect(pruneAuditLog(database.as('panji_worker'), '364 days')).rejects.toThrow('a year at least')
})

describe.each(['panji_api', 'panji_worker'] as const)('%s', (role) => {
  const refused = { code: '42501' }
  for (const [what, statement] of [
    ['changes a row', `UPDATE access.audit SET actor = 'nobody'`],
    ['deletes a row', 'DELETE FROM access.audit'],
    ['empties the audit log', 'TRUNCATE access.audit'],
    [
      'tells another time',
      `INSERT INTO access.audit (at, actor, action, subject) VALUES ('2020-01-01', 'a', 'b', 'c')`,
    ],
    ['seals by hand', `INSERT INTO access.audit_seal (seq, audit_id, previous, hash) VALUES (99, 99, '', '')`],
    ['changes a seal', `UPDATE access.audit_seal SET hash = ''`],
    ['deletes a seal', 'DELETE FROM access.audit_seal'],
    ['makes a checkpoint', `INSERT INTO access.audit_checkpoint (seq, hash, rows, through) VALUES (1, '', 1, now())`],
  ] as const) {
    test(`never ${what}`, async () => {
      await expect(database.as(role).execute(statement)).rejects.toMatchObject(refused)
    })
  }

  test('adds rows and takes them into the chain', async () => {
    await audit(database.as(role), { actor: 'system', action: 'test', subject: role })
    expect(await sealAuditLog(database.as(role))).toBe(1)
  })
})

test('the API does not prune, and not even the owner changes or deletes by a slip of the hand', async () => {
  await expect(
    database.as('panji_api').query(`SELECT access.prune_audit(now() - interval '400 days')`),
  ).rejects.toMatchObject({ code: '42501' })
  await auditLogOf(1)
  for (const statement of [
    `UPDATE access.audit SET actor = 'nobody'`,
    'DELETE FROM access.audit',
    'TRUNCATE access.audit',
    'DELETE FROM access.audit_seal',
    'UPDATE access.audit_checkpoint SET rows = 0',
  ]) {
    await expect(database.db.execute(statement)).rejects.toThrow('never updated or deleted')
  }
})

test('the head lies in a file that is written whole, and a file that is none counts as none', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-head-'))
  expect(readHeadFile(dataDir)).toBeUndefined()
  const head = { seq: 12, hash: 'ab'.repeat(32) }
  writeHeadFile(dataDir, head)
  expect(readHeadFile(dataDir)).toEqual(head)
  writeFileSync(join(dataDir, 'audit-head.json'), '{"seq":12')
  expect(readHeadFile(dataDir)).toBeUndefined()
})

test('the job seals, keeps the head outside, and never writes over one that the chain does not contain any more', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-head-'))
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const context: JobContext = {
    db: database.as('panji_worker'),
    queue: recordJobs(),
    log,
    signal: AbortSignal.timeout(60_000),
    attempt: 0,
  }
  const job = sealAuditLogJob({ dataDir })
  const run = () => job.handle({}, context)
  await act('first')
  expect(await run()).toEqual({ sealed: 1, broken: false })
  const kept = readHeadFile(dataDir)
  expect(kept).toMatchObject({ seq: 1 })
  expect(logged.join()).toContain(kept?.hash)
  expect(await run()).toEqual({ sealed: 0, broken: false })
  await tamper('DELETE FROM access.audit', 'DELETE FROM access.audit_seal')
  await act('another first')
  expect(await run()).toEqual({ sealed: 1, broken: true })
  expect(readHeadFile(dataDir)).toEqual(kept)
  expect(logged.at(-1)).toContain('truncated or rewritten')
})

test('each verification is kept with its head: whole, broken in the middle, and cut at its end', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-proof-'))
  const context: JobContext = {
    db: database.as('panji_worker'),
    queue: recordJobs(),
    log: pino({ level: 'silent' }),
    signal: AbortSignal.timeout(60_000),
    attempt: 0,
  }
  const verify = () => verifyAuditLogJob({ dataDir }).handle({}, context)
  const kept = () => lastAuditLogProof(database.as('panji_api'))
  await auditLogOf(5)
  const head = await chainHead(database.db)
  expect(await verify()).toEqual({ rows: 5, broken: null })
  expect(await kept()).toMatchObject({ rows: 5, head, fault: null })
  await act('not sealed yet')
  expect(await auditLogState(database.as('panji_api'))).toMatchObject({ head, unsealedSeconds: expect.any(Number) })
  await tamper(`UPDATE access.audit SET subject = 'another' WHERE audit_id = ${idAt}`)
  expect(await verify()).toEqual({ rows: 5, broken: 'changed' })
  expect(await kept()).toMatchObject({ fault: 'changed' })

  writeHeadFile(dataDir, { ...head, seq: 9 })
  await database.db.execute('DELETE FROM access.audit_proof')
  expect(await sealAuditLogJob({ dataDir }).handle({}, context)).toMatchObject({ broken: true })
  expect(await sealAuditLogJob({ dataDir }).handle({}, context)).toMatchObject({ broken: true })
  expect(await kept()).toMatchObject({ fault: 'cut' })
  // Once, not at every minute.
  expect(await database.db.query('SELECT FROM access.audit_proof')).toHaveLength(1)
  for (const role of ['panji_api', 'panji_worker'] as const) {
    await expect(database.as(role).execute('UPDATE access.audit_proof SET fault = NULL')).rejects.toThrow('permission')
  }
})
