/**
 * What a connection requests from its server when it opens: settings and a role. They are sent in the startup packet;
 * `session-check.ts` verifies that they arrived, and sets them if a pooler dropped them.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { asUrl, withoutParameter } from '../domain/database-address.ts'
import { type ReachedServer, reach } from './servers/reach.ts'
import { checkSession, markName } from './session-check.ts'

/** Connection settings as `pg` and its pool take them. */
export interface SessionConnection extends ReachedServer {
  readonly options: string
  /** The pool hands out a connection after this resolves, and drops it if this throws. */
  readonly onConnect: (client: pg.ClientBase) => Promise<void>
}

/**
 * The isolation level that all statements rely on, no timeouts from the defaults of a role or database, and server-side
 * detection of dead networks: the server drops a client that is gone, with its locks, within about half a minute, even
 * during a statement. An address with its own `options` overrides these.
 */
const serverSettings: Readonly<Record<string, string>> = {
  // Statements outside a transaction must see the newest version of a row, whatever the role's default.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // Not supported by servers on Windows.
  ...(process.platform === 'win32' ? {} : { client_connection_check_interval: '5s' }),
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
}

type Settings = Readonly<Record<string, string>>

const asOptions = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ')

/**
 * @param role set when the connection opens, so that no statement runs without it. The options of an address apply in
 *   addition.
 */
export function sessionConnection(
  connectionString: string,
  {
    role,
    statementTimeoutMs,
    settings = {},
  }: {
    readonly role?: string | undefined
    readonly statementTimeoutMs?: number | undefined
    readonly settings?: Settings | undefined
  },
): SessionConnection {
  const { address, given } = splitOptions(connectionString)
  const timeout = statementTimeoutMs === undefined ? {} : { statement_timeout: String(Math.trunc(statementTimeoutMs)) }
  const usual = given === undefined ? { ...serverSettings, ...timeout } : settingsIn(given)
  const own = { ...(role === undefined ? {} : { role }), ...settings }
  const wanted = { ...usual, ...own }
  const mark = createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16)
  const options = `${given ?? asOptions(usual)} ${asOptions({ ...own, [markName]: mark })}`
  const connection = { ...reach(address), options }
  return { ...connection, onConnect: checkSession(connection, { ...wanted, [markName]: mark }) }
}

/** `pg` would use only the options of the address. */
function splitOptions(connectionString: string): { readonly address: string; readonly given: string | undefined } {
  const given = asUrl(connectionString).searchParams.get('options') ?? undefined
  return { address: withoutParameter(connectionString, 'options'), given }
}

/** Parses `-c name=value` and `--name=value`, with backslash escapes. */
function settingsIn(options: string): Settings {
  const found = options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g)
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name.replaceAll('-', '_'), value.replaceAll(/\\(.)/g, '$1')]),
  )
}
