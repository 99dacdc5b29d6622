/**
 * `panji logs`: what the instance with the embedded database logged, by level, run or source; optionally followed live.
 */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Option } from 'commander'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { prettyLines } from '../../telemetry/log.ts'
import { logFileIn } from '../kept-log.ts'
import type { CommandContext } from '../settings.ts'
import type { Declare } from './command.ts'
import { count } from './number-arguments.ts'
import { runIdArgument } from './runs.ts'

interface LogOptions {
  readonly follow?: boolean
  readonly level?: (typeof levels)[number]
  readonly run?: number
  readonly source?: string
  readonly lines: number
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const levelNumber = (name: (typeof levels)[number]): number => 10 * (levels.indexOf(name) + 1)

const Record = z.looseObject({
  level: z.number(),
  time: z.number(),
  runId: z.unknown().optional(),
  source: z.unknown().optional(),
})
type Record = z.infer<typeof Record>

export const declareLogs: Declare = (program, run) => {
  program
    .command('logs')
    .description('show the log of the running instance: the last lines, or follow it')
    .option('-f, --follow', 'follow the log until Ctrl-C')
    .addOption(new Option('--level <level>', 'only lines of this level or above').choices([...levels]))
    .option('--run <run_id>', 'only lines of this run', runIdArgument)
    .option('--source <source>', 'only lines of this source')
    .option('--lines <n>', 'number of last lines', count, 100)
    .action((options: LogOptions) => run((context) => logs(context, options)))
}

async function logs(context: CommandContext, options: LogOptions): Promise<void> {
  const { settings, out } = context
  const path = logFileIn(settings.dataDir)
  if (settings.databaseUrl) throw logsElsewhere()
  if (!existsSync(path)) {
    throw new AppError(
      'NO_INSTANCE',
      `There is no ${path}: \`panji start\` writes it when it runs the embedded database. Set PANJI_DATA_DIR to the right data directory.`,
    )
  }
  const older = existsSync(`${path}.1`) ? readFileSync(`${path}.1`, 'utf8') : ''
  const follower = followFile(path)
  const last = wanted(older + follower.read(), options).slice(-options.lines || Number.POSITIVE_INFINITY)
  const shown = options.lines === 0 ? [] : last
  const lines: string[] = []
  const pretty = await prettyLines({ write: (line) => void lines.push(line) }, false)
  const text = (records: readonly Record[]): string => {
    lines.length = 0
    for (const record of records) pretty.write(JSON.stringify(record))
    return lines.join('').trimEnd()
  }
  if (!options.follow) {
    out.answer(shown, () => text(shown) || 'no matching log lines')
    return
  }
  const print = (records: readonly Record[]): void => {
    for (const record of records) out.line(out.json ? JSON.stringify(record) : text([record]))
  }
  print(shown)
  while (!context.signal.aborted) {
    await delay(250, undefined, { signal: context.signal }).catch(() => {})
    print(wanted(follower.read(), options))
  }
  follower.close()
}

function wanted(text: string, { level = 'trace', run, source }: LogOptions): Record[] {
  const fits = (record: Record) =>
    record.level >= levelNumber(level) &&
    (run === undefined || record.runId === run) &&
    (source === undefined || record.source === source)
  return text.split('\n').flatMap((line) => {
    const record = recordIn(line)
    return record && fits(record) ? [record] : []
  })
}

/** @returns undefined for a line cut off by a process that was killed. */
function recordIn(line: string): Record | undefined {
  try {
    return Record.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

/** Complete lines since the last read, even if the file was rotated in between. */
function followFile(path: string): { read(): string; close(): void } {
  let fd = openSync(path, 'r')
  let at = 0
  let rest = ''
  const readOn = (): string => {
    const { size } = fstatSync(fd)
    const buffer = Buffer.alloc(Math.max(0, size - at))
    at += readSync(fd, buffer, 0, buffer.length, at)
    return buffer.toString()
  }
  return {
    read() {
      let text = rest + readOn()
      const next = existsSync(path) ? openSync(path, 'r') : undefined
      if (next !== undefined && fstatSync(next).ino !== fstatSync(fd).ino) {
        text += readOn()
        closeSync(fd)
        fd = next
        at = 0
        text += readOn()
      } else if (next !== undefined) closeSync(next)
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      return text.slice(0, end)
    },
    close: () => closeSync(fd),
  }
}

const logsElsewhere = (): AppError =>
  new AppError(
    'NO_INSTANCE',
    'With DATABASE_URL each process logs only to its standard error. Ask its supervisor: `journalctl -u panji-worker`, `docker compose logs worker`.',
  )
