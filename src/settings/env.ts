/**
 * The one reader of the environment, and of the configuration file. Parses once, reports every fault at once, prints no
 * secret. Only `src/composition.ts` imports this file and passes the parts down.
 */
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { connectionPools, embeddedConnectionsMax, jobConnectionsMin } from '../../config/connections.ts'
import { httpBounds } from '../../config/http-bounds.ts'
import { fetchBounds } from '../../config/input-bounds.ts'
import { usualSac } from '../../config/seller.ts'
import { counted } from '../domain/counted.ts'
import { addressFault } from '../domain/database-address.ts'
import { readIdentifier } from '../domain/entity-identifier.ts'
import { faultWords } from '../domain/fault-words.ts'
import { nearest } from '../domain/nearest.ts'
import { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import type { ConfigFile } from './config-file.ts'
import {
  alertUrlsIn,
  appsIn,
  encryptionKey,
  host,
  mailAddressesIn,
  operatorsIn,
  originsIn,
  port,
  positive,
  proxiesIn,
  secret,
} from './env-values.ts'
import { memberOf } from './file-members.ts'

/** Every variable that Panji reads; `.env.example` is tested against these keys. */
export const EnvSchema = z.object({
  /** TCP port of the HTTP API; 0 picks a free one. */
  PORT: port(8080),
  /** Address the API listens on. */
  HOST: host,
  /** Seconds for which /readyz is a 503 before an API that stops closes its port; unset, 5 with `--role api` and none otherwise. */
  PANJI_DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number of seconds from 0 to 999')
    .transform(Number)
    .optional(),
  /** TCP port of /healthz, /readyz and /metrics in a process of role worker or scheduler; 0 picks a free one, none when unset. */
  PANJI_PROBE_PORT: port(0).unwrap().optional(),
  /** Address that this port listens on. */
  PANJI_PROBE_HOST: host,
  /**
   * PostgreSQL 15 or newer; the embedded server is used when unset. With several servers
   * (`postgresql://user@one,two/panji`) each connection goes to the one that accepts writes.
   */
  DATABASE_URL: z
    .string()
    .superRefine((value, context) => {
      const fault = addressFault(value)
      if (fault !== undefined) context.addIssue(fault)
    })
    .transform((value) => new Secret(value))
    .optional(),
  /**
   * Hot standbys of DATABASE_URL (`postgresql://user@two,three/panji`) from which this process's API reads details,
   * feeds, screeners and searches; one that is lagging or unreachable is not used.
   */
  PANJI_READ_DATABASE_URL: z
    .string()
    .superRefine((value, context) => {
      const fault = addressFault(value)
      if (fault !== undefined) context.addIssue(fault)
    })
    .transform((value) => new Secret(value))
    .optional(),
  /** Database connections of this process's API for logins, details and other cheap work. */
  PANJI_API_CONNECTIONS: positive(connectionPools.api, 'connections'),
  /** Searches, feeds and exports that this process serves at the same time, each on its own database connection. */
  PANJI_EXPENSIVE_READS: positive(connectionPools.expensiveReads, 'connections'),
  /** Database connections of this process's jobs, in addition to five of the queue. */
  PANJI_JOB_CONNECTIONS: positive(connectionPools.jobs, 'connections'),
  /** Folder of the embedded database, the generated secrets and the downloads. */
  PANJI_DATA_DIR: z
    .string()
    .min(1)
    .default('.panji')
    .transform((value) => resolve(value)),
  /** The configuration file; by default `panji.json` in the data directory, if it exists. */
  PANJI_CONFIG: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  /** `auto` loads the sample world into an empty embedded database, `off` starts empty. */
  PANJI_SAMPLE: z.enum(['auto', 'off']).default('auto'),
  /** TCP port of the sandbox CRMs that `npm start` runs on 127.0.0.1 with the sample world; 0 picks a free one. */
  PANJI_SANDBOX_PORT: port(8081),
  /** Encrypts stored credentials and signing keys. */
  PANJI_SECRET_KEY: encryptionKey,
  /** The new key for `panji secrets rotate`: set it in addition to the old one on every process, rotate, then replace the old one with it. */
  PANJI_SECRET_KEY_NEXT: encryptionKey,
  /** Guards /admin and /metrics; the audit log records its acts as operator:default. */
  PANJI_OPERATOR_TOKEN: secret(16),
  /** More operators, each with a token of their own: `asha:TOKEN,ravi:TOKEN`. */
  PANJI_OPERATORS: z.string().default('').transform(operatorsIn),
  /** Opens only /metrics, for a scraper that should not have an operator's token. */
  PANJI_METRICS_TOKEN: secret(16),
  /** OpenTelemetry collector that traces are sent to over OTLP/HTTP, `http://127.0.0.1:4318`; none are sent when unset. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^\s@]+$/, 'must be an http or https address without a user')
    .refine((value) => URL.canParse(value), 'must be an address')
    .optional(),
  /** Origins whose pages may call the API from a browser, separated by commas: `https://app.example.in`; none when unset. */
  PANJI_CORS_ORIGINS: z.string().default('').transform(originsIn),
  /** Origin under which browsers reach the API, `https://panji.example.in`; CRMs redirect people to it, and e-mails link to it. */
  PANJI_PUBLIC_URL: z
    .string()
    .regex(
      /^(https:\/\/[^/?#\s@]+|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?)$/,
      'must be an https origin without a path',
    )
    .refine((value) => URL.canParse(value), 'must be an address')
    .optional(),
  /** Apps that CRMs know this Panji by, for signing in at their own pages, `type:CLIENT_ID:CLIENT_SECRET`, separated by commas. */
  PANJI_CRM_APPS: z.string().default('').transform(appsIn),
  /** OIDC provider at which people of accounts sign in, spelled as in its tokens; none when unset. Needs PANJI_PUBLIC_URL. */
  PANJI_OIDC_ISSUER: z
    .string()
    .regex(/^(https:\/\/[^?#\s@]+|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?)$/, 'must be an https address')
    .refine((value) => URL.canParse(value), 'must be an address')
    .optional(),
  /** Client ID of this Panji at the provider; its redirect URL is PANJI_PUBLIC_URL with /app/oidc/callback. */
  PANJI_OIDC_CLIENT_ID: z.string().min(1).max(300).optional(),
  /** Its secret. */
  PANJI_OIDC_CLIENT_SECRET: secret(8),
  /** Name of the provider on the sign-in button. */
  PANJI_OIDC_NAME: z.string().min(1).max(40).default('single sign-on'),
  /** Value of the Lead_Source column. */
  PANJI_LEAD_SOURCE: z.string().min(1).max(40).default('Panji'),
  /** Label that, like `online`, selects online payment. */
  PANJI_ONLINE_LABEL: z.string().min(1).default('online'),
  /** Key ID of the Razorpay account for online payments; they are refused when unset. Needs the three variables below. */
  PANJI_RAZORPAY_KEY_ID: z
    .string()
    .regex(/^\S{4,80}$/, 'must be a key id such as rzp_live_…')
    .optional(),
  /** Its secret. */
  PANJI_RAZORPAY_KEY_SECRET: secret(8),
  /** Secret of the webhook `/webhooks/payments`, as entered in Razorpay's dashboard. */
  PANJI_RAZORPAY_WEBHOOK_SECRET: secret(16),
  /** The previous secret: set both while you change the dashboard's, and notices signed with either are accepted. */
  PANJI_RAZORPAY_WEBHOOK_SECRET_OLD: secret(16),
  /**
   * When the account of a disputed payment is suspended: `opened`, `lost`, or `off` for never. Winning the last dispute
   * lifts it. By default not when a dispute is opened: many buyers do not recognise the name on the statement, and have
   * paid rightly.
   */
  PANJI_DISPUTE_HOLD: z.enum(['off', 'opened', 'lost']).default('lost'),
  /** Price of one credit in paise, tax included, for online payments. */
  PANJI_CREDIT_PAISE: z
    .string()
    .regex(/^[1-9]\d{2,7}$/, 'must be a whole number of paise from 100 to 99999999')
    .transform(Number)
    .optional(),
  /** Name of the seller on invoices; required for online payments, with the two variables below. */
  PANJI_SELLER_NAME: z.string().min(1).max(200).optional(),
  /** Its address, on one line. */
  PANJI_SELLER_ADDRESS: z.string().min(1).max(300).optional(),
  /** Its GSTIN, whose first two digits are the state of the seller. */
  PANJI_SELLER_GSTIN: z
    .string()
    .refine((value) => readIdentifier('gst', value).ok, 'must be a GSTIN')
    .optional(),
  /** Services accounting code of what is sold. */
  PANJI_SELLER_SAC: z
    .string()
    .regex(/^99\d{2,4}$/, 'must be a services accounting code such as 998439')
    .default(usualSac),
  /** URL of Razorpay's API. */
  PANJI_RAZORPAY_URL: z
    .string()
    .regex(/^https?:\/\/[^/]+$/, 'must be an http(s) address without a path')
    .default('https://api.razorpay.com'),
  /** SMTP server for e-mails to accounts, `smtp://user:password@host:587` or `smtps://…`; TLS unless it is this machine. */
  PANJI_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/?#\s]+\/?$/, 'must be an smtp:// or smtps:// address without a path')
    .refine((value) => URL.canParse(value), 'must be a whole smtp:// or smtps:// address')
    .transform((value) => new Secret(value))
    .optional(),
  /** Sender of these e-mails: `Panji <panji@example.in>`; required with it. */
  PANJI_SMTP_FROM: z
    .string()
    .max(200)
    .regex(/^([^<>\r\n]* )?<?[^\s@<>]+@[^\s@<>]+>?$/, 'must be an address, or a name and an address in <>')
    .optional(),
  /** URLs that operators are notified at, separated by commas: webhooks, and `slack+https://…` for those that accept Slack messages; addresses of this machine and its network are allowed. */
  PANJI_ALERT_URL: z.string().default('').transform(alertUrlsIn),
  /** E-mail addresses that operators are notified at, separated by commas; needs PANJI_SMTP_URL. */
  PANJI_ALERT_MAIL: z.string().default('').transform(mailAddressesIn),
  /** `true` lets schedules and the console fetch snapshots from private and loopback addresses, as `panji ingest` always may, and lets webhooks use them. */
  PANJI_ALLOW_PRIVATE_SOURCES: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  /** Maximum bytes of a snapshot's file as published; the default is 20 GiB. */
  PANJI_INPUT_BYTES_MAX: positive(fetchBounds.fileBytesMax, 'bytes'),
  /** Maximum bytes that a compressed snapshot may unpack to; the default is 100 GiB. */
  PANJI_UNPACKED_BYTES_MAX: positive(fetchBounds.unpackedBytesMax, 'bytes'),
  /** Seconds that a server may be silent while a snapshot is fetched from it. */
  PANJI_FETCH_SILENCE_SECONDS: positive(fetchBounds.silenceMsMax / 1000, 'seconds'),
  /** Seconds that one attempt to fetch a snapshot may take, including resumptions. */
  PANJI_FETCH_SECONDS_MAX: positive(fetchBounds.fetchMsMax / 1000, 'seconds'),
  /** Seconds that a file in a watched folder must be unchanged to count as complete. */
  PANJI_DROP_SETTLE_SECONDS: positive(fetchBounds.settleMs / 1000, 'seconds'),
  /** Addresses or networks of reverse proxies whose X-Forwarded-For is trusted, separated by commas; none when unset. */
  PANJI_TRUSTED_PROXIES: z.string().default('').transform(proxiesIn),
  /** Open connections of the HTTP server; one address may hold half of them unless it is a trusted proxy. */
  PANJI_CONNECTIONS_MAX: positive(httpBounds.connectionsMax, 'connections'),
  /** Contact in /.well-known/security.txt: a mailto: or https: address; there is no such file when unset. */
  PANJI_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
    .optional(),
  /** Folder into which the schedule write-backup writes a backup each night; none is written when unset. */
  PANJI_BACKUP_DIR: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  /** How many of those backups are kept. */
  PANJI_BACKUPS_KEPT: positive(7, 'backups'),
  /** Folder into which destinations of type example-csv deliver, each into its own subfolder; there is no such type when unset. */
  PANJI_CSV_DELIVERY_DIR: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  /** Any value disables colours on a terminal. */
  NO_COLOR: z.string().optional(),
  /** Log level. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Env = Readonly<z.infer<typeof EnvSchema>>

const connectionsOf = (
  env: Pick<Env, 'PANJI_API_CONNECTIONS' | 'PANJI_EXPENSIVE_READS' | 'PANJI_JOB_CONNECTIONS'>,
): number => env.PANJI_API_CONNECTIONS + env.PANJI_EXPENSIVE_READS + env.PANJI_JOB_CONNECTIONS

const ofOidc = ['PANJI_OIDC_ISSUER', 'PANJI_OIDC_CLIENT_ID', 'PANJI_OIDC_CLIENT_SECRET']

/** All of them, or none. */
const setTogether: readonly (readonly [what: string, keys: readonly string[]])[] = [
  [
    'online payment',
    ['PANJI_RAZORPAY_KEY_ID', 'PANJI_RAZORPAY_KEY_SECRET', 'PANJI_RAZORPAY_WEBHOOK_SECRET', 'PANJI_CREDIT_PAISE'],
  ],
  ['OIDC', ofOidc],
  ['the seller', ['PANJI_SELLER_NAME', 'PANJI_SELLER_ADDRESS', 'PANJI_SELLER_GSTIN']],
]

/** A setting that is not read would go unnoticed: its default applies. Other names may belong to other programs. */
function misspelt(names: readonly string[]): string[] {
  const known = Object.keys(EnvSchema.shape)
  return names.flatMap((name) => {
    const meant = name.startsWith('PANJI_') && !known.includes(name) ? nearest(name, known, 2) : undefined
    return meant === undefined ? [] : [`${name}: is not a variable of Panji; ${meant} is`]
  })
}

/**
 * @param file of the configuration, for what the environment leaves open. @throws AppError CONFIG_INVALID listing every
 * fault of both, without their values.
 */
export function readEnv(
  source: Readonly<Record<string, string | undefined>>,
  file: ConfigFile = { values: {}, faults: [] },
): Env {
  const own = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const present: Record<string, string | undefined> = { ...file.values, ...own }
  const parsed = EnvSchema.safeParse(present, { error: faultWords })
  const nameOf = (variable: string) => (variable in own ? variable : (memberOf.get(variable) ?? variable))
  const faults = [
    ...file.faults,
    ...misspelt(Object.keys(own)),
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => `${nameOf(issue.path.join('.'))}: ${issue.message}`)),
  ]
  if (present['DATABASE_URL'] && !present['PANJI_SECRET_KEY']) {
    faults.push('PANJI_SECRET_KEY: is required with DATABASE_URL (at least 16 characters)')
  }
  if (present['PANJI_READ_DATABASE_URL'] && !present['DATABASE_URL']) {
    faults.push('PANJI_READ_DATABASE_URL: needs DATABASE_URL, whose standbys it names')
  }
  const connections = parsed.success && !parsed.data.DATABASE_URL ? connectionsOf(parsed.data) : 0
  if (parsed.success && parsed.data.PANJI_JOB_CONNECTIONS < jobConnectionsMin) {
    faults.push(
      `PANJI_JOB_CONNECTIONS: must be at least ${jobConnectionsMin}, as jobs hold some while they wait for others`,
    )
  }
  if (connections > embeddedConnectionsMax) {
    faults.push(
      `PANJI_API_CONNECTIONS, PANJI_EXPENSIVE_READS, PANJI_JOB_CONNECTIONS: add up to ${connections}; the embedded database serves ${embeddedConnectionsMax}`,
    )
  }
  for (const [what, keys] of setTogether) {
    const missing = keys.filter((key) => !(key in present))
    if (missing.length === keys.length) continue
    for (const key of missing) faults.push(`${key}: is required with the other variables of ${what}`)
  }
  for (const [one, other] of [
    ['PANJI_SMTP_URL', 'PANJI_SMTP_FROM'],
    ['PANJI_SMTP_FROM', 'PANJI_SMTP_URL'],
  ] as const) {
    if (one in present && !(other in present)) faults.push(`${other}: is required with ${one}`)
  }
  if (ofOidc.every((key) => key in present) && !('PANJI_PUBLIC_URL' in present)) {
    faults.push('PANJI_PUBLIC_URL: is required with OIDC, whose provider sends browsers back to it')
  }
  if ('PANJI_ALERT_MAIL' in present && !('PANJI_SMTP_URL' in present)) {
    faults.push('PANJI_SMTP_URL: is required with PANJI_ALERT_MAIL')
  }
  if (!parsed.success || faults.length > 0) {
    throw new AppError(
      'CONFIG_INVALID',
      `The configuration has ${counted(faults.length, 'fault')}:\n  ${faults.join('\n  ')}`,
    )
  }
  return Object.freeze(parsed.data)
}
