/**
 * The files of a backup, opened as its snapshot begins: copying the tables takes a while, and a run that ends in that
 * time moves or removes its file.
 */
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { codeOf } from '../domain/fault-code.ts'

export interface PlacedFile {
  readonly path: string
  /** Path in the data directory. */
  readonly name: string
}

export interface OpenedFile extends PlacedFile {
  readonly handle: FileHandle
}

/** @param mayBeGone whether a missing file is skipped. */
export async function openFiles(files: readonly PlacedFile[], mayBeGone: boolean): Promise<OpenedFile[]> {
  const opened: OpenedFile[] = []
  try {
    for (const file of files) {
      const handle = await open(file.path, 'r').catch((cause: unknown) => {
        if (mayBeGone && codeOf(cause) === 'ENOENT') return undefined
        throw cause
      })
      if (handle) opened.push({ ...file, handle })
    }
    return opened
  } catch (cause) {
    await closeFiles(opened)
    throw cause
  }
}

export async function closeFiles(opened: readonly OpenedFile[]): Promise<void> {
  for (const { handle } of opened) await handle.close()
}
