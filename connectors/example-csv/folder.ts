/**
 * The calls of this "CRM": records are files `gst-27AAACR5055K1Z7.csv` with a header and one row. A file is written
 * under a temporary name, flushed and renamed, so a reader finds the old record or the new one and never half of one;
 * writing twice leaves one file.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { guarded, unguarded } from '../../src/domain/formula-guard.ts'

export type FileValues = Readonly<Record<string, string>>

export interface FoundFile {
  readonly crmId: string
  readonly values: FileValues
}

/** Other ids have no file: a path is only built from an id of this shape. */
const externalIdShape = /^(company|director|gst):([A-Za-z0-9-]{1,40})$/
const fileBytesMax = 4 * 1024 * 1024

export class Folder {
  readonly #path: string

  constructor(deliveryDir: string, name: string) {
    this.#path = join(deliveryDir, name)
  }

  /** The id of the record in this "CRM". @returns null for malformed external ids. */
  fileOf(externalId: string): string | null {
    const [, type, identifier] = externalIdShape.exec(externalId) ?? []
    return type === undefined ? null : `${type}-${identifier}.csv`
  }

  /** @returns whether it was created. The folder around it is the operator's and is never created here. */
  async make(): Promise<boolean> {
    try {
      await mkdir(this.#path, { mode: 0o700 })
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
  }

  /** @param file default: the folder itself. */
  async exists(file?: string): Promise<boolean> {
    return stat(join(this.#path, file ?? '')).then((found) => file !== undefined || found.isDirectory(), isMissing)
  }

  /** @throws if its file cannot be read. @returns undefined if there is no such record. */
  async find(externalId: string): Promise<FoundFile | undefined> {
    const crmId = this.fileOf(externalId)
    const values = crmId === null ? null : await this.#read(crmId)
    return crmId === null || values === null ? undefined : { crmId, values }
  }

  async #read(file: string): Promise<FileValues | null> {
    // A symbolic link must not redirect the read to outside the folder.
    const handle = await open(join(this.#path, file), constants.O_RDONLY | constants.O_NOFOLLOW).catch(orMissing)
    if (handle === null) return null
    try {
      if ((await handle.stat()).size > fileBytesMax) throw new Error(`${file} is larger than ${fileBytesMax} bytes`)
      const [row = {}] = parse<Record<string, string>>(await handle.readFile('utf8'), { columns: true, bom: true })
      return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, unguarded(cell)]))
    } finally {
      await handle.close()
    }
  }

  async write(file: string, values: FileValues): Promise<void> {
    const cells = Object.values(values).map(guarded)
    const temporary = join(this.#path, `.${randomBytes(8).toString('hex')}.new`)
    try {
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(stringify([Object.keys(values), cells], { record_delimiter: '\r\n' }))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, join(this.#path, file))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  /** From here on, renames and removals survive a power failure. */
  async flush(): Promise<void> {
    const handle = await open(this.#path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** @returns whether it existed. */
  async delete(file: string): Promise<boolean> {
    return rm(join(this.#path, file)).then(() => true, isMissing)
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function orMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}

const isMissing = (error: unknown): boolean => orMissing(error) !== null
