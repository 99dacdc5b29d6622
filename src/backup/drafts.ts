/**
 * Drafts of a backup. Each writer has its own, so that two that write the same file at once do not write into each
 * other's.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export const draftOf = (path: string): string => `${path}.${randomBytes(4).toString('hex')}.part`

/** Drafts of earlier versions had no name of their own. */
const ending = /(?:\.[0-9a-f]{8})?\.part$/

/** @returns the name of the file that a draft was for; undefined for any other file. */
export const fileOfDraft = (name: string): string | undefined =>
  ending.test(name) ? name.replace(ending, '') : undefined

const abandonedAfterMs = 24 * 60 * 60 * 1000

/** Whether a killed process left the draft: nobody has written to it for a day. */
export async function isAbandoned(draft: string): Promise<boolean> {
  const found = await stat(draft).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs
}

/** Removes the abandoned drafts of a file, which has been written: they stay in a folder that may not be listed. */
export async function removeAbandoned(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder).catch(() => [])) {
    if (fileOfDraft(name) !== basename(path)) continue
    const draft = join(folder, name)
    if (await isAbandoned(draft)) await rm(draft, { force: true })
  }
}
