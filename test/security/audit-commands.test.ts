/** Whatever an operator does or reads at the command line leaves its row in the audit log, by the real program. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { audit } from '../../src/audit/audit.ts'
import { commandDeclaration, declaredCommands, invokedBy } from '../../src/cli/audit/command-audit.ts'
import { allCommands, buildProgram } from '../../src/cli/program.ts'
import { secretKey } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { panjiProgram } from '../support/panji-program.ts'

const database = useTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'panji-trail-'))
const program = panjiProgram({
  DATABASE_URL: database.url,
  PANJI_SECRET_KEY: secretKey.reveal(),
  PANJI_DATA_DIR: dataDir,
})
afterAll(() => rmSync(dataDir, { recursive: true }))

interface Row {
  readonly kind: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: Record<string, unknown>
  readonly credential: string
  readonly data_class: string | null
}

const rowsOf = (operation: string) =>
  database.db.query<Row>('SELECT * FROM access.audit WHERE operation = $1 ORDER BY audit_id', [`panji ${operation}`])

async function panji(...parameters: string[]): Promise<unknown> {
  const { code, answer, stderr } = await program.json(...parameters)
  expect([parameters.join(' '), code, stderr]).toEqual([parameters.join(' '), 0, expect.any(String)])
  return answer
}

test('only commands are declared, each once, and what is not declared is an act unless its operation says otherwise', async () => {
  const paths = allCommands(await buildProgram(async () => {}))
    .filter(({ commands }) => commands.length === 0)
    .map((command) => invokedBy(command).path)
  expect(paths.length).toBeGreaterThan(30)
  expect(declaredCommands().filter((path) => !paths.includes(path))).toEqual([])
  expect(commandDeclaration('account forget')).toBe('act')
  for (const path of ['approve', 'discard', 'ingest', 'history prune', 'schedule pause', 'jobs redrive', 'push']) {
    expect([path, commandDeclaration(path)]).toEqual([path, 'act'])
  }
  for (const path of ['account find', 'order show', 'ledger export', 'deliveries list', 'webhook list']) {
    expect(['act', 'nothing']).not.toContain(commandDeclaration(path))
  }
})

test('what operators do at the command line stands in the auditLog: who, what and on what', {
  timeout: 240_000,
}, async () => {
  const email = 'kamala@example.in'
  const { user_id: accountId } = (await panji('account', 'create', '--email', email)) as { user_id: string }
  expect(await rowsOf('account create')).toMatchObject([
    { kind: 'act', actor: 'operator', action: 'create account', subject: accountId, credential: expect.any(String) },
    { kind: 'act', action: 'issue api key' },
  ])
  await panji('account', 'credits', email, '5')
  await panji('account', 'suspend', accountId, '--yes')
  expect(await rowsOf('account suspend')).toMatchObject([{ action: 'suspend account', subject: accountId }])
  await panji('operator', 'add', 'ravi', '--role', 'viewer')
  expect(await rowsOf('operator add')).toMatchObject([{ action: 'add operator', subject: 'operator:ravi' }])
  await panji('schedule', 'pause', 'sweep-expired')
  expect(await rowsOf('schedule pause')).toMatchObject([
    {
      action: 'pause schedule',
      subject: 'sweep-expired',
      actor: 'operator',
      credential: expect.stringMatching(/^user:/),
    },
  ])
  await panji('jobs', 'discard', '--all', '--yes')
  expect(await rowsOf('jobs discard')).toMatchObject([{ action: 'jobs discard', detail: { all: true } }])
  await panji('history', 'prune', '--before', '2020-01-01', '--yes')
  expect(await rowsOf('history prune')).toMatchObject([{ detail: { before: '2020-01-01' } }])
  const [run] = await database.db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status) VALUES ('mca-companies', 'a.csv', 'snapshot', '2025-10-01', 'needs_approval')
     RETURNING run_id AS id`,
  )
  await panji('discard', String(run?.id), '--yes')
  expect(await rowsOf('discard')).toMatchObject([{ kind: 'act', subject: String(run?.id) }])
  // Readings; what is read through an operation, too.
  await panji('quality', 'mca-companies')
  expect(await rowsOf('quality')).toEqual([])
  await panji('rejects', String(run?.id))
  expect(await rowsOf('rejects')).toMatchObject([{ kind: 'reading', data_class: 'rejects', subject: String(run?.id) }])
  await panji('operator', 'list')
  expect(await rowsOf('operator list')).toMatchObject([{ kind: 'reading', data_class: 'operators' }])
  await panji('account', 'find', 'kamala')
  expect(await rowsOf('account find')).toMatchObject([{ kind: 'reading', data_class: 'accounts' }])
  await panji('destination', 'list', email)
  expect(await rowsOf('destination list')).toMatchObject([{ kind: 'reading', subject: '…' }])
  // What only looks leaves nothing.
  for (const thing of ['jobs', 'payments']) expect(await panji(thing, 'list')).toEqual([])
  await panji('runs')
  expect(await rowsOf('runs')).toEqual([])
  const [told] = await database.db.query('SELECT FROM access.audit a WHERE a::text LIKE $1', [`%${email}%`])
  expect(told).toBeUndefined()
})

test('the audit log is listed, verified, exported with its hashes, and a break ends the command with 1', {
  timeout: 240_000,
}, async () => {
  for (const subject of ['a', 'b', 'c']) {
    await database.db.transaction((tx) => audit(tx, { actor: 'operator', action: 'write a line', subject }))
  }
  expect(await panji('audit', 'list', '--actor', 'operator', '--limit', '3')).toHaveLength(3)
  const whole = (await panji('audit', 'verify')) as { ok: boolean; head: { seq: number; hash: string } }
  expect(whole).toMatchObject({ ok: true, broken: null })
  expect(await panji('audit', 'verify', '--head', `${whole.head.seq}:${whole.head.hash}`)).toMatchObject({ ok: true })
  const file = join(dataDir, 'audit.jsonl')
  const { rows } = (await panji('audit', 'export', file)) as { rows: number }
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(rows)
  const exported = lines.map((line) => JSON.parse(line) as { place: number; previous: string; hash: string })
  for (const [index, row] of exported.entries()) {
    expect(row.place).toBe(index + 1)
    if (index > 0) expect(row.previous).toBe(exported[index - 1]?.hash)
  }
  const again = await program.json('audit', 'export', file)
  expect(again.code).toBe(1)
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(
      `UPDATE access.audit SET actor = 'nobody' WHERE audit_id = (SELECT audit_id FROM access.audit_seal WHERE seq = 2)`,
    )
  })
  const { code, answer } = await program.json('audit', 'verify')
  expect([code, answer]).toMatchObject([
    1,
    { ok: false, broken: { place: 2, row: expect.any(Number), fault: 'changed' } },
  ])
  const text = await program.run('audit', 'verify')
  expect([text.code, text.stderr]).toEqual([1, expect.stringContaining('place 2')])
})
