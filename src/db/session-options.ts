/** What a connection asks of its server as it opens: settings, and the role that it works as. */

/** Connection settings as `pg` takes them. */
export interface SessionConnection {
  readonly connectionString: string
  readonly options: string
}

/**
 * The isolation that every statement counts on, and the server's side of a dead network: it gives up a client that is gone, with its locks, within about half a minute,
 * also while a statement runs. An address that names `options` of its own overrides these.
 */
const serverSettings = [
  // Statements outside a transaction decide on the newest version of a row, whatever default the role has.
  'default_transaction_isolation=read\\ committed',
  // Windows servers refuse this one.
  ...(process.platform === 'win32' ? [] : ['client_connection_check_interval=5s']),
  'tcp_keepalives_idle=15',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
]

const asOptions = (settings: readonly string[]) => settings.map((setting) => `-c ${setting}`).join(' ')

/**
 * @param role put on as the connection opens, so that no statement runs without it. The options of the address are
 * joined with it and with `settings`, where `pg` would take the address's alone. Values of settings hold no spaces.
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
    readonly settings?: Readonly<Record<string, string>> | undefined
  },
): SessionConnection {
  const timeout = statementTimeoutMs === undefined ? [] : [`statement_timeout=${Math.trunc(statementTimeoutMs)}`]
  const options = asOptions([...serverSettings, ...timeout])
  const own = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const always = role === undefined ? own : [`role=${role}`, ...own]
  if (always.length === 0) return { connectionString, options }
  const url = new URL(connectionString)
  const given = url.searchParams.get('options')
  url.searchParams.delete('options')
  return { connectionString: url.href, options: `${given ?? options} ${asOptions(always)}` }
}
