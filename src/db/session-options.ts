/**
 * What a connection asks of its server as it opens: settings, and the role that it works as. They travel with the startup
 * packet; `session-check.ts` sees that they arrived, and sets them where something on the way left them out.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { asUrl, withoutParameter } from '../domain/database-address.ts'
import { type ReachedServer, reach } from './servers/reach.ts'
import { checkSession, markName } from './session-check.ts'

/** Connection settings as `pg` and its pool take them. */
export interface SessionConnection extends ReachedServer {
  readonly options: string
  /** The pool hands a connection out once this has resolved, and none where it throws. */
  readonly onConnect: (client: pg.ClientBase) => Promise<void>
}

/**
 * The isolation that every statement counts on, no time-out that a role or a database has by default, and the server's side
 * of a dead network: it gives up a client that is gone, with its locks, within about half a minute, also while a statement
 * runs. An address that names `options` of its own overrides these.
 */
const serverSettings: Readonly<Record<string, string>> = {
  // Statements outside a transaction decide on the newest version of a row, whatever default the role has.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // Windows servers refuse this one.
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

/** @param role put on as the connection opens, so that no statement runs without it. Beside the options of an address both hold. */
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

/** `pg` would take the options of the address alone. */
function splitOptions(connectionString: string): { readonly address: string; readonly given: string | undefined } {
  const given = asUrl(connectionString).searchParams.get('options') ?? undefined
  return { address: withoutParameter(connectionString, 'options'), given }
}

/** `-c name=value` and `--name=value`, a backslash before what is meant literally. */
function settingsIn(options: string): Settings {
  const found = options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g)
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name.replaceAll('-', '_'), value.replaceAll(/\\(.)/g, '$1')]),
  )
}
