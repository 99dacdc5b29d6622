/**
 * The protocol of the isolated parser on its standard output: frames with a kind, a length and that many bytes. A note
 * precedes the bytes that it belongs to; an end or a failure is the last frame, and output without one was cut off.
 */
import type { FoundReject } from '../findings.ts'

export const frameKinds = { bytes: 1, note: 2, end: 3, failure: 4 } as const
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds]

/** What was found since the previous note; `read` is the number of bytes of the file read so far. */
export interface Note {
  readonly read: number
  readonly headerIsLine: boolean
  readonly listed: number
  /** Cumulative. */
  readonly repaired: Readonly<Record<string, number>>
  readonly rejects: readonly FoundReject[]
}

export type Frame =
  /** A piece of the bytes; a frame may arrive in several. */
  | { readonly kind: 'bytes'; readonly piece: Buffer }
  | { readonly kind: 'note' | 'end' | 'failure'; readonly body: string }

const headBytes = 5
/** Size limit of a frame that is buffered: a note contains the raw text of rejects, each at most a record. */
const heldBytesMax = 64 << 20

export function frame(kind: FrameKind, body: Buffer): readonly [Buffer, Buffer] {
  const head = Buffer.allocUnsafe(headBytes)
  head.writeUInt8(kind, 0)
  head.writeUInt32BE(body.length, 1)
  return [head, body]
}

/**
 * Reassembles frames from chunks of any size.
 * @throws Error for output that no isolated parser writes.
 */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)
  #kind = 0
  #left = 0;

  *push(chunk: Buffer): Generator<Frame> {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    for (;;) {
      if (this.#kind === 0) {
        if (bytes.length < headBytes) break
        this.#kind = bytes.readUInt8(0)
        this.#left = bytes.readUInt32BE(1)
        bytes = bytes.subarray(headBytes)
      }
      if (this.#kind === frameKinds.bytes) {
        const piece = bytes.subarray(0, this.#left)
        bytes = bytes.subarray(piece.length)
        this.#left -= piece.length
        if (piece.length > 0) yield { kind: 'bytes', piece }
      } else {
        const kind = heldKinds[this.#kind]
        if (kind === undefined || this.#left > heldBytesMax) throw new Error('the parser wrote an invalid frame')
        if (bytes.length < this.#left) break
        const body = bytes.toString('utf8', 0, this.#left)
        bytes = bytes.subarray(this.#left)
        this.#left = 0
        yield { kind, body }
      }
      if (this.#left > 0) break
      this.#kind = 0
    }
    this.#rest = bytes
  }
}

const heldKinds: Readonly<Record<number, 'note' | 'end' | 'failure'>> = {
  [frameKinds.note]: 'note',
  [frameKinds.end]: 'end',
  [frameKinds.failure]: 'failure',
}
