/** One pino logger; everything that could contain a secret is redacted by path, whoever logs it. */
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

/** Takes complete lines. */
export interface LogSink {
  write(line: string): void
}

const errorLevel = 50

/** Whether a log line reports a failure that needs attention. */
export const isGrave = (line: string): boolean => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= errorLevel

/**
 * For a terminal. The pretty printer undoes JSON's escapes, so control characters are escaped once more and shown as
 * text. Line breaks and tabs stay, for stacks. It prints in this process, line by line, so that a progress bar can make
 * way.
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

/** Logs go to standard error: standard output belongs to the result of a command. */
export function createLogger(level: string, sink: LogSink): Logger {
  return pino(
    {
      level,
      base: null,
      // Fields of the line itself take precedence.
      mixin: () => ({ ...originNow() }),
      redact: {
        paths: [...secretPaths, ...secretPaths.map((path) => `*.${path}`), ...secretPaths.map((path) => `*.*.${path}`)],
        censor: '[hidden]',
      },
    },
    sink,
  )
}
