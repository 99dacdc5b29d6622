/**
 * Opens a file whose format needs a parser, as the same OpenInput as a plain file. The parser runs in its own process:
 * without environment, unprivileged if Panji is root, with limits on memory, silence and output. Its output is
 * validated like any external input. If it is killed or exceeds a limit, the run fails with PARSER_STOPPED.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type ParserBounds, parserBounds } from '../../../../config/input-bounds.ts'
import { visible } from '../../../domain/visible.ts'
import { AppError } from '../../../errors.ts'
import { type RejectCode, rejectCodes } from '../../run/reject-codes.ts'
import { Findings } from '../findings.ts'
import type { HeldFile } from '../local-file.ts'
import type { OpenInput, ReadOptions } from '../unpack/read-file.ts'
import { FrameReader, type Note } from './frames.ts'
import type { ParserTask } from './parser-process.ts'
import { watchProcess } from './watch-process.ts'

export interface ParserOptions extends Omit<ReadOptions, 'onProgress'> {
  /** Ends the parser. */
  readonly signal: AbortSignal
  readonly processBounds?: ParserBounds | undefined
}

const count = z.int().min(0)
const NoteBody: z.ZodType<Note> = z.strictObject({
  read: count,
  headerIsLine: z.boolean(),
  listed: count,
  repaired: z.record(z.string().regex(/^[a-z0-9_]{1,60}$/), count),
  rejects: z.array(
    z.strictObject({
      line: count,
      code: z.enum(Object.keys(rejectCodes) as [RejectCode]),
      message: z.string(),
      raw: z.string(),
    }),
  ),
})
const EndBody = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })
/** Only the error codes that format readers report; everything else means that the parser failed. */
const FailureBody = z.strictObject({
  code: z.enum(['SOURCE_CORRUPT', 'SOURCE_UNREADABLE', 'HEADER_MISMATCH']),
  message: z.string().max(10_000),
})

export function readIsolated(file: HeldFile, options: ParserOptions): OpenInput {
  const findings = new Findings()
  let read = 0
  let sha256: string | undefined
  const note = (body: string) => {
    const parsed = NoteBody.parse(JSON.parse(body))
    read = Math.min(parsed.read, file.size)
    findings.headerIsLine = parsed.headerIsLine
    findings.noteListed(parsed.listed)
    for (const [kind, times] of Object.entries(parsed.repaired)) findings.repaired.set(kind, times)
    for (const reject of parsed.rejects) findings.reject(reject)
  }
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const frame of framesOf(file, options)) {
      if (frame.kind === 'bytes') yield frame.piece
      else if (frame.kind === 'note') note(frame.body)
      else if (frame.kind === 'end') ({ sha256 } = EndBody.parse(JSON.parse(frame.body)))
      else {
        const { code, message } = FailureBody.parse(JSON.parse(frame.body))
        throw new AppError(code, visible(message))
      }
    }
    if (sha256 === undefined) throw stopped(file, 'its process ended before the file did')
  }
  return {
    name: file.name,
    bytesTotal: file.size,
    bytes: inWords(file, bytes(), options.signal),
    bytesRead: () => read,
    findings,
    sha256: () => {
      if (sha256 === undefined) throw new Error('the file has not been read to its end')
      return sha256
    },
  }
}

/** Invalid output means that the parser failed; a shutdown is reported as such, whatever it looks like from here. */
async function* inWords(file: HeldFile, bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (cause) {
    signal.throwIfAborted()
    throw cause instanceof AppError ? cause : stopped(file, 'what its process said makes no sense', cause)
  }
}

async function* framesOf(file: HeldFile, options: ParserOptions) {
  const { signal, bounds, processBounds = parserBounds } = options
  signal.throwIfAborted()
  const child = start(file, options, processBounds)
  const end = () => child.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  const watch = watchProcess(child, processBounds)
  const frames = new FrameReader()
  let written = 0
  try {
    for await (const chunk of watch.watched(child.stdout)) {
      for (const frame of frames.push(chunk)) {
        if (frame.kind === 'bytes') written += frame.piece.length
        if (written > bounds.unpackedBytesMax + outputSlackBytes) throw stopped(file, 'it became larger than it may')
        yield frame
      }
    }
    const reason = watch.reason()
    if (reason !== undefined) throw stopped(file, reason)
  } finally {
    watch.end()
    signal.removeEventListener('abort', end)
    end()
  }
}

/** The reader inside reports what is too much in words; this limit is slightly higher. */
const outputSlackBytes = 16 << 20

function start(
  { name, size, fd }: HeldFile,
  { shape, bounds }: ParserOptions,
  processBounds: ParserBounds,
): ChildProcess {
  // Of the source, only what its workbooks are read by.
  const { sheets, generations, isLookedAt } = shape
  const task: ParserTask = { name, size, shape: { sheets, generations, isLookedAt }, bounds }
  const reader = fileURLToPath(new URL(`./parser-process${extname(import.meta.url)}`, import.meta.url))
  const node = [
    process.execPath,
    `--max-old-space-size=${processBounds.heapMegabytesMax}`,
    reader,
    JSON.stringify(task),
  ]
  // The shell sets the kernel's limits: CPU time, even if the worker is gone, and no core dump of a file's content.
  const limits = `ulimit -c 0; ulimit -t ${processBounds.processorSecondsMax}; exec "$@"`
  const [command = '', ...args] = process.platform === 'win32' ? node : ['/bin/sh', '-c', limits, 'sh', ...node]
  // Its own session, so that a key pressed at the worker's terminal does not reach it.
  return spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore', fd],
    env: { NODE_NO_WARNINGS: '1' },
    cwd: '/',
    detached: true,
  })
}

function stopped({ name }: HeldFile, why: string, cause?: unknown): AppError {
  return new AppError(
    'PARSER_STOPPED',
    `${name}: reading its format was stopped: ${why}. Nothing was applied; if the file is genuine, ingest it as CSV.`,
    cause === undefined ? {} : { cause },
  )
}
