/**
 * The members of the configuration file: everything that describes an installation and is not secret, by the variable
 * of `env.ts` with the same meaning. What differs between processes (ports, the database, the role's secrets) stays in
 * the environment, and so does what is required together with a secret: a command at a terminal without it would be
 * refused.
 */
export type MemberKind = 'text' | 'number' | 'switch' | 'list'

export interface FileMember {
  readonly variable: string
  readonly kind: MemberKind
}

const text = (variable: string): FileMember => ({ variable, kind: 'text' })
const number = (variable: string): FileMember => ({ variable, kind: 'number' })
const list = (variable: string): FileMember => ({ variable, kind: 'list' })

/** Section → member → its variable. */
export const fileMembers: Readonly<Record<string, Readonly<Record<string, FileMember>>>> = {
  api: {
    public_url: text('PANJI_PUBLIC_URL'),
    connections: number('PANJI_API_CONNECTIONS'),
    expensive_reads: number('PANJI_EXPENSIVE_READS'),
    connections_max: number('PANJI_CONNECTIONS_MAX'),
    drain_seconds: number('PANJI_DRAIN_SECONDS'),
    cors_origins: list('PANJI_CORS_ORIGINS'),
    trusted_proxies: list('PANJI_TRUSTED_PROXIES'),
    security_contact: text('PANJI_SECURITY_CONTACT'),
  },
  jobs: { connections: number('PANJI_JOB_CONNECTIONS') },
  sales: {
    lead_source: text('PANJI_LEAD_SOURCE'),
    online_label: text('PANJI_ONLINE_LABEL'),
    dispute_hold: text('PANJI_DISPUTE_HOLD'),
  },
  seller: {
    name: text('PANJI_SELLER_NAME'),
    address: text('PANJI_SELLER_ADDRESS'),
    gstin: text('PANJI_SELLER_GSTIN'),
    sac: text('PANJI_SELLER_SAC'),
  },
  sources: {
    allow_private: { variable: 'PANJI_ALLOW_PRIVATE_SOURCES', kind: 'switch' },
    input_bytes_max: number('PANJI_INPUT_BYTES_MAX'),
    unpacked_bytes_max: number('PANJI_UNPACKED_BYTES_MAX'),
    fetch_silence_seconds: number('PANJI_FETCH_SILENCE_SECONDS'),
    fetch_seconds_max: number('PANJI_FETCH_SECONDS_MAX'),
    drop_settle_seconds: number('PANJI_DROP_SETTLE_SECONDS'),
  },
  backup: { dir: text('PANJI_BACKUP_DIR'), kept: number('PANJI_BACKUPS_KEPT') },
  deliveries: { csv_dir: text('PANJI_CSV_DELIVERY_DIR') },
}

/** Variable → its place in the file, `sources.fetch_seconds_max`. */
export const memberOf: ReadonlyMap<string, string> = new Map(
  Object.entries(fileMembers).flatMap(([section, members]) =>
    Object.entries(members).map(([name, { variable }]): [string, string] => [variable, `${section}.${name}`]),
  ),
)
