/** UTF-16 in, UTF-8 out, with a byte order mark or without; all else as it is. */

/** How many bytes tell. */
const headBytes = 12

type Decoder = InstanceType<typeof TextDecoder>
export type Utf16 = 'utf-16le' | 'utf-16be'

/** @returns undefined for any other encoding. Without its mark what begins a table is ASCII and NUL by turns. */
export function utf16Of(start: Buffer): Utf16 | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const head = start.subarray(0, headBytes)
  if (head.length < 6) return undefined
  const isText = (from: number): boolean => head.every((byte, at) => (at % 2 === from ? isTyped(byte) : byte === 0))
  if (isText(0)) return 'utf-16le'
  return isText(1) ? 'utf-16be' : undefined
}

const isTyped = (byte: number): boolean => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13

export async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  let decoder: Decoder | undefined
  const decoded = (bytes: Buffer): Buffer => (decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes)
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield decoded(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < headBytes) continue
    decoder = decoderOf(head)
    yield decoded(head)
    head = undefined
  }
  if (head !== undefined) {
    decoder = decoderOf(head)
    yield decoded(head)
  }
  if (decoder) yield Buffer.from(decoder.decode())
}

function decoderOf(head: Buffer): Decoder | undefined {
  const encoding = utf16Of(head)
  return encoding && new TextDecoder(encoding)
}
