/** One pino logger; everything that could carry a secret is redacted by path, whoever logs it. */
import { type Logger, pino } from 'pino'
import { shownInstant } from '../domain/shown-instant.ts'
import { visible } from '../domain/visible.ts'
import { originNow } from './request-origin.ts'

export type { Logger } from 'pino'

const secretPaths = [
  'api_key',
  'apiKey',
  'access_token',
  'refresh_token',
  'token',
  'password',
  'settings',
  'authorization',
  'client_secret',
]

/** Takes whole lines. */
export interface LogSink {
  write(line: string): void
}

const errorLevel = 50

/** Of a line of the log, whether it tells a failure that somebody has to see. */
export const isGrave = (line: string): boolean => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= errorLevel

/**
 * For a terminal. The pretty printer undoes the escapes of JSON: what would act on a terminal is escaped once more and shown
 * as text. Line breaks and tabs stay, for stacks. It prints in this process, line by line, so that a bar can make room.
 */
export async function prettyLines(sink: LogSink, colorize: boolean): Promise<LogSink> {
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({
    translateTime: false,
    customPrettifiers: { time: (time) => `[${shownInstant(new Date(Number(time)))}]` },
    colorize,
  })
  const disarm = (_: string, value: unknown): unknown => (typeof value === 'string' ? visible(value, '\n\t') : value)
  return { write: (line) => sink.write(pretty(JSON.stringify(JSON.parse(line), disarm))) }
}

/** Logs go to standard error: standard output belongs to the answer of a command. */
export function createLogger(level: string, sink: LogSink): Logger {
  return pino(
    {
      level,
      base: null,
      // What a line says of itself goes before.
      mixin: () => ({ ...originNow() }),
      redact: {
        paths: [...secretPaths, ...secretPaths.map((path) => `*.${path}`), ...secretPaths.map((path) => `*.*.${path}`)],
        censor: '[hidden]',
      },
    },
    sink,
  )
}
