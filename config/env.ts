/**
 * The one reader of the environment. Parses once, reports every fault at once, prints no value of a secret.
 * `src/main.ts` alone imports this file and hands the parts down.
 */
import { resolve } from 'node:path'
import { z } from 'zod'
import { Secret } from '../src/domain/secret.ts'
import { AppError } from '../src/errors.ts'
import { fetchBounds } from './input-bounds.ts'

const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be a port number from 0 to 65535')
    .default(fallback)

const positive = (fallback: number, unit: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, `must be a whole number of ${unit} above 0`)
    .transform(Number)
    .default(fallback)

const secret = (characters: number) =>
  z
    .string()
    .min(characters, `must have at least ${characters} characters`)
    .transform((value) => new Secret(value))
    .optional()

/** Every variable that Panji reads; `.env.example` is tested against these keys. */
export const EnvSchema = z.object({
  /** TCP port of the HTTP API; 0 takes a free one. */
  PORT: port(8080),
  /** Address the API listens on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** PostgreSQL 15 or newer; the embedded server is used when unset. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/.+/, 'must be a postgresql:// address')
    .transform((value) => new Secret(value))
    .optional(),
  /** Folder of the embedded database, the generated secrets and the downloads. */
  PANJI_DATA_DIR: z
    .string()
    .min(1)
    .default('.panji')
    .transform((value) => resolve(value)),
  /** `auto` loads the sample world into an empty embedded database, `off` starts empty. */
  PANJI_SAMPLE: z.enum(['auto', 'off']).default('auto'),
  /** TCP port of the sandbox CRMs that `npm start` runs beside the embedded database; 0 takes a free one. */
  PANJI_SANDBOX_PORT: port(8081),
  /** Encrypts stored credentials and signing keys. */
  PANJI_SECRET_KEY: secret(16),
  /** Guards /admin. */
  PANJI_OPERATOR_TOKEN: secret(16),
  /** Value of the Lead_Source column. */
  PANJI_LEAD_SOURCE: z.string().min(1).max(40).default('Panji'),
  /** Label that, like `online`, asks for online payment. */
  PANJI_ONLINE_LABEL: z.string().min(1).default('online'),
  /** `true` lets snapshots be fetched from private and loopback addresses. */
  PANJI_ALLOW_PRIVATE_SOURCES: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  /** Bytes that a snapshot's file may have as published; the default is 20 GiB. */
  PANJI_INPUT_BYTES_MAX: positive(fetchBounds.fileBytesMax, 'bytes'),
  /** Bytes that a compressed snapshot may unpack to; the default is 100 GiB. */
  PANJI_UNPACKED_BYTES_MAX: positive(fetchBounds.unpackedBytesMax, 'bytes'),
  /** Seconds that a server may be silent while a snapshot is fetched from it. */
  PANJI_FETCH_SILENCE_SECONDS: positive(fetchBounds.silenceMsMax / 1000, 'seconds'),
  /** Seconds that one attempt to fetch a snapshot may take, resumptions included. */
  PANJI_FETCH_SECONDS_MAX: positive(fetchBounds.fetchMsMax / 1000, 'seconds'),
  /** Seconds that a file in a watched folder must stay as it is to count as whole. */
  PANJI_DROP_SETTLE_SECONDS: positive(fetchBounds.settleMs / 1000, 'seconds'),
  /** Addresses of reverse proxies whose X-Forwarded-For is believed, separated by commas; none when unset. */
  PANJI_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  /** Log level. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Env = Readonly<z.infer<typeof EnvSchema>>

/** @throws AppError CONFIG_INVALID listing every fault; values are never repeated in it. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = EnvSchema.safeParse(present)
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (present['DATABASE_URL'] && !present['PANJI_SECRET_KEY']) {
    faults.push('PANJI_SECRET_KEY: is required with DATABASE_URL (at least 16 characters)')
  }
  if (!parsed.success || faults.length > 0) {
    throw new AppError('CONFIG_INVALID', `The environment has ${faults.length} fault(s):\n  ${faults.join('\n  ')}`)
  }
  return Object.freeze(parsed.data)
}
