/**
 * The file of an archive as it is written: each member goes behind gzip by itself, which reads as one stream, so that the
 * processors pack several at a time. They are written in their order, and few wait in memory.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { nameFile } from '../db/whole-file.ts'
import { endOfArchive, type Member, memberBytes } from './tar.ts'

const pack = promisify(gzip)
/** Higher levels take half as long again for a twentieth of the bytes. */
const level = 1
/** Node packs on four threads, which file access and look-ups of names use as well. */
const atOnceMax = Math.min(3, Math.max(2, availableParallelism()))

export class PackedFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #packing: Promise<Buffer>[] = []

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  /** For its owner alone. */
  static async create(path: string): Promise<PackedFile> {
    return new PackedFile(path, await open(path, 'w', 0o600))
  }

  async put(member: Member): Promise<void> {
    this.#pack(Buffer.concat(memberBytes(member)))
    while (this.#packing.length > atOnceMax) await this.#writeNext()
  }

  /** Once it resolves, the disk has it. */
  async end(): Promise<void> {
    this.#pack(endOfArchive())
    while (this.#packing.length > 0) await this.#writeNext()
    await this.#file.sync()
    await this.#file.close()
  }

  /** Leaves it as it is. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#packing)
    await this.#file.close()
  }

  #pack(bytes: Buffer): void {
    const packed = pack(bytes, { level })
    // Whoever waits for it hears of it; nobody may wait at that moment.
    packed.catch(() => {})
    this.#packing.push(packed)
  }

  async #writeNext(): Promise<void> {
    const packed = await this.#packing.shift()
    try {
      if (packed) await this.#file.writeFile(packed)
    } catch (error) {
      throw nameFile(error, this.#path)
    }
  }
}
