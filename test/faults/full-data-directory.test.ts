/** F10: the disk of the data directory is full before there is a database, and while small files of it are written. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { audit } from '../../src/audit/audit.ts'
import { sealAuditLog } from '../../src/audit/chain.ts'
import { exportAuditLog } from '../../src/audit/export-audit-log.ts'
import { PackedFile } from '../../src/backup/packed-file.ts'
import { failureOf } from '../../src/cli/faults/failure-text.ts'
import { secretOf } from '../../src/cli/instance/secrets.ts'
import { acquireInstance } from '../../src/db/embedded/instance-lock.ts'
import { startEmbeddedServer } from '../../src/db/embedded/server.ts'
import { writeWhole } from '../../src/db/whole-file.ts'
import { useTestDatabase } from '../support/database.ts'
import { enlarge, mountSmallDisk, smallDiskRefusal, unmount } from './support/small-disk.ts'

const database = useTestDatabase()
const refusal = smallDiskRefusal()
let disk = ''
let dataDir = ''

beforeEach(() => {
  if (refusal !== undefined) return
  const mounted = mountSmallDisk('20m')
  if ('refused' in mounted) throw new Error(mounted.refused)
  disk = mounted.folder
  dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  // A strict umask makes folders private, and root's server lies elsewhere then.
  for (const each of [disk, dataDir]) chmodSync(each, 0o755)
})
afterEach(() => {
  if (disk !== '') unmount(disk)
  disk = ''
})

function fill(): void {
  try {
    writeFileSync(join(disk, 'filler'), Buffer.alloc(32 * 2 ** 20))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
}
const thrownBy = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

test.skipIf(refusal !== undefined)(
  'a disk too small for a new database is named with its folder, and with room made the same start succeeds',
  async () => {
    await expect(startEmbeddedServer({ dataDir })).rejects.toMatchObject({
      code: 'DATABASE_FULL',
      message: `The embedded PostgreSQL did not start, since the disk of ${dataDir} is full. Make room there (\`df -h\`, \`df -i\`) and start again.`,
    })
    enlarge(disk, '300m')
    const server = await startEmbeddedServer({ dataDir })
    await server.stop()
  },
)

test.skipIf(refusal !== undefined)(
  'secrets and notes of the data directory are whole or not there, the one before stays, and the message names the file',
  () => {
    const note = join(dataDir, 'note')
    writeWhole(note, 'the one before')
    fill()
    const before = readdirSync(dataDir)
    const acts: readonly (readonly [string, () => unknown])[] = [
      ['secret-key', () => secretOf(undefined, dataDir, 'secret-key')],
      ['instance.json', () => acquireInstance(dataDir, 'start')],
      ['note', () => writeWhole(note, 'x'.repeat(10_000))],
    ]
    for (const [name, act] of acts) {
      expect(failureOf(thrownBy(act))).toEqual({
        code: 'FILE_REFUSED',
        message: `${join(dataDir, name)} failed: the disk is full.`,
        stack: undefined,
      })
    }
    expect(readdirSync(dataDir)).toEqual(before)
    expect(readFileSync(note, 'utf8')).toBe('the one before')
    expect(existsSync(join(dataDir, 'secret-key'))).toBe(false)
  },
)

test.skipIf(refusal !== undefined)('a backup that meets a full disk names its file', async () => {
  const path = join(disk, 'backup.tar.gz')
  const file = await PackedFile.create(path)
  fill()
  const fault = await (async () => {
    await file.put({
      name: 'member',
      body: Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * i * 31) % 251)),
    })
    await file.end()
  })().catch((error: unknown) => error)
  await file.abandon()
  expect(failureOf(fault).message).toBe(`${path} failed: the disk is full.`)
})

test.skipIf(refusal !== undefined)(
  'an export of the audit log that the disk cuts off leaves no file that would be taken for a whole one, and names it',
  async () => {
    const { db } = database
    await db.transaction((tx) => audit(tx, { actor: 'operator', action: 'back up', subject: 'instance' }))
    await sealAuditLog(db, true)
    fill()
    const file = join(disk, 'audit.jsonl')
    const refused = await exportAuditLog(db, file, {}).catch((error: unknown) => failureOf(error))
    expect(refused).toMatchObject({ code: 'FILE_REFUSED', message: `${file} failed: the disk is full.` })
    expect(existsSync(file)).toBe(false)
  },
)
