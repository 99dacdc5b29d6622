/**
 * Writes one snapshot file in blocks of at most 1 MiB, each before the next is filled, so that memory does not grow
 * with the file. It appears under its name only when it is complete.
 */
import { open, rename, rm } from 'node:fs/promises'

const blockBytes = 1024 * 1024
/** UTF-8 of one UTF-16 unit. */
const bytesPerCharacterMax = 3

export interface WriteOptions {
  readonly signal: AbortSignal | undefined
  /** Called after each block. */
  readonly onBlock: (rows: number) => void
}

/** @returns the number of lines written below the header. */
export async function writeSnapshotFile(
  path: string,
  header: string,
  lines: Iterable<string>,
  { signal, onBlock }: WriteOptions,
): Promise<number> {
  const draft = `${path}.partial`
  const file = await open(draft, 'w')
  let rows = 0
  try {
    // One buffer for the whole file: fresh blocks would pile up faster than they are collected.
    const block = Buffer.allocUnsafe(blockBytes)
    let filled = block.write(`${header}\n`)
    for (const line of lines) {
      if (filled + line.length * bytesPerCharacterMax > blockBytes) {
        signal?.throwIfAborted()
        await file.writeFile(block.subarray(0, filled))
        filled = 0
        onBlock(rows)
      }
      filled += block.write(line, filled)
      rows++
    }
    await file.writeFile(block.subarray(0, filled))
    await file.close()
    signal?.throwIfAborted()
    await rename(draft, path)
  } catch (error) {
    await file.close()
    await rm(draft, { force: true })
    throw error
  }
  onBlock(rows)
  return rows
}

/** A cell, quoted only where RFC 4180 demands it. */
export function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
