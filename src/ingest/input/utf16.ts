/** Converts UTF-16 with or without a byte order mark to UTF-8; everything else is unchanged. */

/** Bytes examined to detect the encoding. */
const headBytes = 12

type Decoder = InstanceType<typeof TextDecoder>
export type Utf16 = 'utf-16le' | 'utf-16be'

/**
 * @returns undefined for any other encoding. Without a mark, the beginning of a table alternates between ASCII and NUL.
 */
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
