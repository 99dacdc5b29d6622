/**
 * Writes the archive: each member is compressed separately, which reads as one gzip stream, so that several are
 * compressed in parallel. They are written in order, and few wait in memory.
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
/** Node compresses on four threads, which file access and DNS lookups use as well. */
const atOnceMax = Math.min(3, Math.max(2, availableParallelism()))

export class PackedFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #packing: Promise<Buffer>[] = []

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  /** Readable only by its owner. */
  static async create(path: string): Promise<PackedFile> {
    return new PackedFile(path, await open(path, 'w', 0o600))
  }

  async put(member: Member): Promise<void> {
    this.#pack(Buffer.concat(memberBytes(member)))
    while (this.#packing.length > atOnceMax) await this.#writeNext()
  }

  /** Resolves once the data is on disk. */
  async end(): Promise<void> {
    this.#pack(endOfArchive())
    while (this.#packing.length > 0) await this.#writeNext()
    await this.#file.sync()
    await this.#file.close()
  }

  /** Closes the file as it is. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#packing)
    await this.#file.close()
  }

  #pack(bytes: Buffer): void {
    const packed = pack(bytes, { level })
    // Callers that wait for it get the error; there may be none at that moment.
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
