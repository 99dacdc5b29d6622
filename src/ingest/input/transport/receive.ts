/** Receives one response into the partial file: the whole file, the rest of it, or that nothing changed. */
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import type { AppError } from '../../../errors.ts'
import { type Reply, unreadable } from './follow.ts'
import type { PartialFile, PartialNote } from './partial-file.ts'
import { progressText } from './transfer-fault.ts'
import { proofOf, readContentRange, type Validators, validatorsOf } from './validators.ts'

export type Part =
  | { readonly kind: 'whole'; readonly note: PartialNote }
  | { readonly kind: 'not-modified' }
  /** Incomplete; the rest needs another request. */
  | { readonly kind: 'cut'; readonly reason: string; readonly cause?: unknown }

export interface Receiving {
  readonly bounds: Pick<FetchBounds, 'fileBytesMax'>
  /** The form in which an address is stored in files and rows. */
  readonly markOf: (url: URL) => string
  /** Of the version that need not be sent again. */
  readonly known?: Validators | undefined
  /** `total` 0: unknown. */
  readonly onBytes: (size: number, total: number) => Promise<void>
}

/** @throws AppError for a response that is not a file; any other error is a connection fault. */
export async function receive(address: string, reply: Reply, partial: PartialFile, options: Receiving): Promise<Part> {
  const { statusCode, headers, body } = reply.data
  if (statusCode === 200) {
    await begin(address, reply, partial, options)
    return stream(address, reply, partial, options)
  }
  if (statusCode === 206 && partial.size > 0) {
    if (isRest(reply, partial)) return stream(address, reply, partial, options)
    discard(body)
    await partial.forget()
    return { kind: 'cut', reason: 'the server sent a different part than requested' }
  }
  await body.dump()
  if (statusCode === 304 && options.known && partial.size === 0) return { kind: 'not-modified' }
  if (statusCode === 416 && partial.note) {
    const { note, size } = partial
    const total = /^bytes \*\/(\d+)$/i.exec(String(headers['content-range'] ?? ''))?.[1]
    if (size === note.total && (total === undefined || Number(total) === size)) return { kind: 'whole', note }
    await partial.forget()
    return { kind: 'cut', reason: 'the server no longer has the file of which a part was here' }
  }
  const retry = statusCode >= 500 || statusCode === 429 || statusCode === 408 ? 'later' : 'never'
  throw unreadable(address, `the server answered ${statusCode}`, { retry })
}

async function begin(address: string, { url, data }: Reply, partial: PartialFile, options: Receiving): Promise<void> {
  const { headers } = data
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding)) {
    discard(data.body)
    throw unreadable(address, `the server sent it as ${encoding}, though it was asked for the file as it is`)
  }
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  if (length !== null && length > options.bounds.fileBytesMax) {
    discard(data.body)
    throw tooLarge(address, `it has ${length} bytes`, options)
  }
  const asked = URL.parse(address)
  const validators = validatorsOf(options.markOf(url), headers)
  await partial.begin({
    address: asked ? options.markOf(asked) : '',
    url: options.markOf(url),
    proof: proofOf(headers) ?? null,
    etag: validators?.etag ?? null,
    lastModified: validators?.lastModified ?? null,
    total: length,
  })
}

/** True for a response that continues after the bytes received, of the same version. */
function isRest({ data }: Reply, { note, size }: PartialFile): boolean {
  const range = readContentRange(String(data.headers['content-range'] ?? ''))
  const { etag } = data.headers
  return (
    note !== undefined &&
    range?.start === size &&
    (range.total === undefined || note.total === null || range.total === note.total) &&
    (etag === undefined || note.etag === null || etag === note.etag)
  )
}

async function stream(address: string, { data }: Reply, partial: PartialFile, options: Receiving): Promise<Part> {
  for await (const chunk of data.body) {
    if (partial.size + (chunk as Buffer).length > options.bounds.fileBytesMax)
      throw tooLarge(address, 'it has more bytes', options)
    await partial.append(chunk as Buffer)
    await options.onBytes(partial.size, partial.note?.total ?? 0)
  }
  await partial.keep()
  const { note, size } = partial
  if (!note) throw new Error('a download ended that had not begun')
  if (size === 0) throw unreadable(address, 'the server sent an empty file')
  if (note.total === null || size === note.total) return { kind: 'whole', note }
  return { kind: 'cut', reason: `the server ended ${progressText(size, note.total)}` }
}

/** Closes the connection; the resulting error of the body is expected. */
function discard(body: Reply['data']['body']): void {
  body.on('error', () => {}).destroy()
}

function tooLarge(address: string, size: string, { bounds }: Receiving): AppError {
  const limit = `${bounds.fileBytesMax} (PANJI_INPUT_BYTES_MAX)`
  return unreadable(address, `${size}; at most ${limit} are taken. Ingest it in parts, or raise the bound`)
}
