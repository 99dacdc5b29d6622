/** Opens a local file as CSV bytes: plain CSV directly, every other format through the isolated parser. */
import { AppError } from '../../errors.ts'
import { type ParserOptions, readIsolated } from './isolated/isolated-parser.ts'
import { firstBytes, type LocalFile, openLocal } from './local-file.ts'
import { closedAfter, isGzip, isPlainCsv, type OpenedInput, readFile } from './unpack/read-file.ts'

/** Bytes searched for the first non-blank character of JSON. */
const startBytes = 4096

/** @throws AppError SOURCE_UNREADABLE if the file has disappeared. */
export async function openInput(file: LocalFile, options: ParserOptions): Promise<OpenedInput> {
  const handle = await openLocal(file).catch((cause: unknown) => {
    throw new AppError('SOURCE_UNREADABLE', `${file.name}: the file can no longer be opened.`, { cause })
  })
  const held = { ...file, fd: handle.fd }
  try {
    const input = isPlainCsv(await firstBytes(held, startBytes))
      ? await readFile(held, options)
      : readIsolated(held, options)
    const close = () => handle.close()
    return { ...input, bytes: closedAfter(input.bytes, close), close }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Whether a file is CSV, compressed or not: reading it costs little compared with processing its records. */
export async function isReadFast(file: LocalFile): Promise<boolean> {
  const handle = await openLocal(file)
  try {
    const start = await firstBytes({ ...file, fd: handle.fd }, startBytes)
    return isPlainCsv(start) || isGzip(start)
  } finally {
    await handle.close()
  }
}
