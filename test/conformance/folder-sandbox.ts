/**
 * A folder in the place of a CRM, for the example connector: what lies there, read by other code than the connector's, and
 * how often anything was written.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { Sandbox, SandboxCall, SandboxRecord } from '../../sandboxes/contract.ts'
import { unguarded } from '../../src/domain/formula-guard.ts'

const root = mkdtempSync(join(tmpdir(), 'panji-folder-'))
// Files of tests share their process, and with it this folder.
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

/** What the operator named. */
export const deliveryDir = join(root, 'deliveries')
const secret = 'a secret of sixteen characters or more'
export const folderAccount = createHash('sha256').update(`panji example-csv ${secret}`).digest('hex').slice(0, 32)

export function createFolderSandbox({ isThere = true } = {}): Sandbox {
  const folder = join(deliveryDir, folderAccount)
  /** Each content that a file was given is one write. */
  const writes = new Map<string, SandboxCall>()
  const reset = () => {
    writes.clear()
    rmSync(deliveryDir, { recursive: true, force: true })
    if (isThere) mkdirSync(deliveryDir)
  }
  const files = () =>
    readdirSync(deliveryDir).includes(folderAccount) ? readdirSync(folder).filter((name) => name.endsWith('.csv')) : []
  const valuesOf = (file: string): Record<string, string> => {
    const [row = {}] = parse<Record<string, string>>(readFileSync(join(folder, file)), { columns: true })
    return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, unguarded(cell)]))
  }
  reset()
  return {
    crm: 'example-csv',
    settings: () => ({ folder_secret: secret }),
    handle: async (_request, response) => void response.writeHead(404).end(),
    records: () => files().map((id): SandboxRecord => ({ id, object: 'file', properties: valuesOf(id) })),
    edit(id, values) {
      const edited = { ...valuesOf(id), ...values }
      writeFileSync(join(folder, id), stringify([Object.keys(edited), Object.values(edited)]))
    },
    calls() {
      for (const file of files()) {
        const { ino, mtimeNs } = statSync(join(folder, file), { bigint: true })
        const call = { method: 'WRITE', path: file, status: 200, at: String(mtimeNs), headers: {}, body: null }
        writes.set(`${file} ${ino} ${mtimeNs}`, call)
      }
      return [...writes.values()]
    },
    addFault: () => {},
    reset,
  }
}
