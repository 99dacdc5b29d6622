/**
 * The process of the isolated parser: reads an open file on descriptor 3 and writes frames to standard output. It gets
 * no environment and, if Panji is root, becomes an unprivileged user after its code is loaded and before it reads the
 * file.
 */
import { once } from 'node:events'
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import { AppError } from '../../../errors.ts'
import { type FileShape, readFile } from '../unpack/read-file.ts'
import { type FrameKind, frame, frameKinds, type Note } from './frames.ts'

export interface ParserTask {
  readonly name: string
  readonly size: number
  readonly shape: FileShape
  readonly bounds: FetchBounds
}

export const fileDescriptor = 3
const noteEveryMs = 1000

/** A full pipe pauses the reading until the other end catches up. */
async function write(kind: FrameKind, body: Buffer): Promise<void> {
  const [head, rest] = frame(kind, body)
  process.stdout.write(head)
  if (!process.stdout.write(rest)) await once(process.stdout, 'drain')
}

const say = (kind: FrameKind, message: object): Promise<void> => write(kind, Buffer.from(JSON.stringify(message)))

function becomeNobody(): void {
  if (process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}

const nobody = 65_534

async function readTask({ name, size, shape, bounds }: ParserTask): Promise<void> {
  let noted = 0
  const onProgress = () => {
    if (Date.now() - noted < noteEveryMs) return
    noted = Date.now()
    void say(frameKinds.note, { read: 0, headerIsLine: true, listed: 0, repaired: {}, rejects: [] } satisfies Note)
  }
  const input = await readFile({ name, size, fd: fileDescriptor }, { shape, bounds, onProgress })
  const note = async (rejects: Note['rejects']) => {
    const { headerIsLine, listed, repaired } = input.findings
    const read = input.bytesRead()
    await say(frameKinds.note, {
      read,
      headerIsLine,
      listed,
      repaired: Object.fromEntries(repaired),
      rejects,
    } satisfies Note)
    noted = Date.now()
  }
  let isFirst = true
  for await (const chunk of input.bytes) {
    const rejects = input.findings.takeRejects()
    if (isFirst || rejects.length > 0 || Date.now() - noted >= noteEveryMs) await note(rejects)
    isFirst = false
    await write(frameKinds.bytes, chunk)
  }
  await note(input.findings.takeRejects())
  await say(frameKinds.end, { sha256: input.sha256() })
}

if (import.meta.main) {
  // Signals to the whole process group are ignored: the worker ends its parsers itself.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  becomeNobody()
  try {
    await readTask(JSON.parse(process.argv[2] ?? '') as ParserTask)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await say(frameKinds.failure, { code: error.code, message: error.message })
  }
  // Whatever still runs, such as an archive no longer read, ends with the last frame.
  process.stdout.end(() => process.exit(0))
}
