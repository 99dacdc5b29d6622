/**
 * A download in progress: the bytes so far, and a note of what they are part of. The bytes counted by the note's `kept`
 * are safe on disk, so that a later attempt, in another process, can continue from there.
 *
 * An attempt that was considered dead may still be writing. It shares the file at most while both write the same bytes
 * of the same version at the same position; starting over creates a new file.
 */
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { giveFolder } from '../../../db/folder-owner.ts'

const Note = z.object({
  /** In its stored form, without secrets. */
  address: z.string(),
  /** The address after redirects, stored in the same way. */
  url: z.string(),
  /** ETag or date that proves another part to be of the same bytes. */
  proof: z.string().nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  total: z.number().int().nullable(),
  kept: z.number().int(),
})
export type PartialNote = z.infer<typeof Note>

/** Files that no run has touched for this long are orphaned. */
const orphanedAfterMs = 24 * 3600 * 1000

export class PartialFile {
  readonly path: string
  readonly #notePath: string
  readonly #syncEveryBytes: number
  #note: PartialNote | undefined
  #handle: FileHandle | undefined
  #size = 0

  constructor(path: string, syncEveryBytes: number) {
    this.path = path
    this.#notePath = `${path}.json`
    this.#syncEveryBytes = syncEveryBytes
  }

  /** Bytes received so far. */
  get size(): number {
    return this.#size
  }

  get note(): PartialNote | undefined {
    return this.#note
  }

  /** Takes over what an earlier attempt of the run left, if its bytes are safe and a further part can be verified. */
  async takeOver(from: string, address: string): Promise<void> {
    const note = await readNote(`${from}.json`)
    const found = await stat(from).catch(() => undefined)
    if (!note || !found || note.address !== address || note.proof === null || found.size < note.kept) return
    await rename(from, this.path)
    this.#handle = await open(this.path, 'r+')
    await this.#handle.truncate(note.kept)
    this.#size = note.kept
    this.#note = note
    await this.#writeNote()
  }

  /** Starts a new file for the response that is about to arrive. */
  async begin(note: Omit<PartialNote, 'kept'>): Promise<void> {
    await this.forget()
    this.#handle = await open(this.path, 'wx', 0o600)
    this.#note = { ...note, kept: 0 }
    await this.#writeNote()
  }

  async append(chunk: Buffer): Promise<void> {
    if (!this.#handle || !this.#note) throw new Error('a download was continued before it began')
    // A nearly full disk may write only a part of a chunk.
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, this.#size)
      done += bytesWritten
      this.#size += bytesWritten
    }
    if (this.#size - this.#note.kept >= this.#syncEveryBytes) await this.keep()
  }

  /** Flushes the bytes to disk. */
  async keep(): Promise<void> {
    if (!this.#handle || !this.#note || this.#note.kept === this.#size) return
    await this.#handle.datasync()
    this.#note = { ...this.#note, kept: this.#size }
    await this.#writeNote()
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
  }

  /** Deletes the file and its note. */
  async forget(): Promise<void> {
    await this.close()
    this.#note = undefined
    this.#size = 0
    for (const path of [this.path, this.#notePath, `${this.#notePath}.new`]) await rm(path, { force: true })
  }

  async #writeNote(): Promise<void> {
    const draft = `${this.#notePath}.new`
    await writeFile(draft, JSON.stringify(this.#note), { mode: 0o600 })
    await rename(draft, this.#notePath)
  }
}

/** A note truncated by a crash is ignored. */
async function readNote(path: string): Promise<PartialNote | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.endsWith('}') ? Note.safeParse(JSON.parse(text)).data : undefined
}

const nameOf = (runId: number, attempt: number): string => `run-${runId}-${attempt}.part`

/** The file of an attempt, with what an earlier attempt of the same run left. Deletes orphaned files. */
export async function openPartial(
  folder: string,
  run: { readonly runId: number; readonly attempt: number; readonly address: string },
  syncEveryBytes: number,
): Promise<PartialFile> {
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) giveFolder(folder)
  await sweepOrphans(folder, run.runId)
  const partial = new PartialFile(join(folder, nameOf(run.runId, run.attempt)), syncEveryBytes)
  for (let earlier = run.attempt - 1; earlier > 0; earlier--) {
    const from = join(folder, nameOf(run.runId, earlier))
    if (!partial.note) await partial.takeOver(from, run.address)
    for (const path of [from, `${from}.json`]) await rm(path, { force: true })
  }
  return partial
}

/** Deletes what the attempts of a run left, once it will not be retried. */
export async function deletePartials(folder: string, runId: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.startsWith(`run-${runId}-`)) await rm(join(folder, name), { force: true })
  }
}

/** The run's own files are kept, however long its worker was away. */
async function sweepOrphans(folder: string, runId: number): Promise<void> {
  const others = (each: string) => /^run-\d/.test(each) && !each.startsWith(`run-${runId}-`)
  for (const name of (await namesIn(folder)).filter(others)) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > orphanedAfterMs) await rm(join(folder, name), { force: true })
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
