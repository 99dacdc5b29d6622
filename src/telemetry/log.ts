/** One pino logger; everything that could carry a secret is redacted by path, whoever logs it. */
import { destination, type Logger, pino } from 'pino'
import { visible } from '../domain/visible.ts'

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

/**
 * The pretty printer undoes the escapes of JSON: what would act on a terminal is escaped once more and shown as text.
 * Line breaks and tabs stay, for stacks.
 */
function disarmed(line: string): string {
  const disarm = (_: string, value: unknown): unknown => (typeof value === 'string' ? visible(value, '\n\t') : value)
  return `${JSON.stringify(JSON.parse(line), disarm)}\n`
}

/** Logs go to standard error: standard output belongs to the answer of a command. */
export function createLogger(level: string, pretty: boolean): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: [...secretPaths, ...secretPaths.map((path) => `*.${path}`), ...secretPaths.map((path) => `*.*.${path}`)],
      censor: '[hidden]',
    },
  }
  if (!pretty) return pino(options, destination({ dest: 2, sync: true }))
  return pino({
    ...options,
    hooks: { streamWrite: disarmed },
    transport: { target: 'pino-pretty', options: { destination: 2, translateTime: 'SYS:HH:MM:ss' } },
  })
}
