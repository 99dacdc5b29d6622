/** `panji doctor`: checks everything an operator would check first, and says what to do about each fault. */
import { existsSync, statfsSync, statSync } from 'node:fs'
import { lastForwarded } from '../../access/forwarded-notes.ts'
import { readInstance } from '../../db/embedded/instance-lock.ts'
import { writtenFolders } from '../../db/embedded/location.ts'
import { listMigrations, newerMigrations } from '../../db/migrate.ts'
import { takesWrites } from '../../db/writable.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import { lastProof, ledgerViolations } from '../../orders/ledger-check.ts'
import { countOpenEvents } from '../../orders/payments/payment-events.ts'
import { listDeadLetters } from '../../queue/dead-letters.ts'
import { recentQueueWarnings } from '../../queue/queue-warnings.ts'
import { workerIsPresent } from '../../queue/worker-presence.ts'
import { checkSecretKey } from '../../secrets/canary.ts'
import { keyIdOf } from '../../secrets/key-chain.ts'
import { failureOf } from '../faults/failure-text.ts'
import { requireInstance, requireWritableFolder } from '../instance/data-directory.ts'
import { diskSpace } from '../instance/disk-space.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import type { CliSettings, CommandContext } from '../settings.ts'
import { paymentSettings } from '../start/payment-settings.ts'
import { failWith } from '../work-failed.ts'
import { type Declare, prints } from './command.ts'
import { auditLogIsWhole } from './doctor-audit-log.ts'
import { backupsAreFresh } from './doctor-backups.ts'
import { databaseConnection } from './doctor-connection.ts'
import { connectionsSuffice } from './doctor-connections.ts'
import { scheduledRuns, watchedFolders } from './doctor-inputs.ts'
import { limitsShown, limitsText } from './doctor-limits.ts'
import { databaseRoles } from './doctor-roles.ts'
import { standbysFollow } from './doctor-standbys.ts'

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

export const declareDoctor: Declare = (program, run) => {
  program
    .command('doctor')
    .description('check the machine, the database and waiting work')
    .addHelpText(
      'after',
      prints(
        '{ok, checks: [{name, ok, detail}], limits: [{stage, name, what, counted_by, held_by, figures, answer, retry_after, set_by}]}',
      ),
    )
    .action(() => run(doctor))
}

async function doctor(context: CommandContext): Promise<void> {
  const checks: Check[] = []
  const attempt = async (name: string, check: () => Promise<Omit<Check, 'name'>> | Omit<Check, 'name'>) => {
    try {
      checks.push({ name, ...(await check()) })
    } catch (error) {
      checks.push({ name, ok: false, detail: failureOf(error).message })
    }
  }
  await attempt('node', nodeVersion)
  await attempt('data directory', () => dataDirectory(context.settings))
  await attempt('instance', () => instanceState(context))
  await attempt('seller', () => sellerIsKnown(context.settings))
  await attempt('database', () =>
    withInstance(context, 'doctor', async (instance) => {
      for (const [name, check] of databaseChecks) await attempt(name, () => check(instance, context.settings))
      return {
        ok: true,
        detail: context.settings.databaseUrl ? 'DATABASE_URL answers' : 'the embedded PostgreSQL answers',
      }
    }),
  )
  for (const [name] of databaseChecks) {
    if (checks.some((check) => check.name === name)) continue
    checks.push({ name, ok: false, detail: 'not checked, because the database did not open' })
  }
  const ok = checks.every((check) => check.ok)
  const { connectionsMax, connections } = context.settings
  const limits = limitsShown({ connectionsMax, expensiveReads: connections.expensiveReads })
  const shown = () => {
    const found = checks.map((check) => `${check.ok ? 'ok   ' : 'FAULT'} ${check.name}: ${check.detail}`)
    return [...found, '', 'Limits that a call meets, in this order:', limitsText(limits)].join('\n')
  }
  const result = { ok, checks, limits }
  if (!ok) failWith(context.out, result, shown, { code: 'CHECK_FAILED', message: 'some checks found a fault' })
  context.out.answer(result, shown)
}

/**
 * Invoices name the seller. Online payment is available, as `online_payment` of the API says, if a processor and a
 * seller are configured.
 */
function sellerIsKnown(settings: CliSettings): Omit<Check, 'name'> {
  const payments = paymentSettings(settings)
  if (!payments) return { ok: true, detail: 'online payment is off: no payment processor is configured' }
  const { seller } = payments
  if (seller) return { ok: true, detail: `${seller.name}, ${seller.gstin}` }
  const wanted = 'PANJI_SELLER_NAME, PANJI_SELLER_ADDRESS and PANJI_SELLER_GSTIN'
  return { ok: false, detail: `online payments are refused until ${wanted} are set: invoices name the seller` }
}

function nodeVersion(): Omit<Check, 'name'> {
  const major = Number(process.versions.node.split('.')[0])
  return {
    ok: major >= 24,
    detail: `Node ${process.versions.node}${major >= 24 ? '' : '; run `npm ci`, which installs Node 24'}`,
  }
}

function dataDirectory(settings: CliSettings): Omit<Check, 'name'> {
  const { dataDir } = settings
  if (settings.databaseUrl && !existsSync(dataDir))
    return { ok: true, detail: `${dataDir} does not exist; commands need none, and \`panji start\` creates it` }
  if (!settings.databaseUrl) requireInstance(settings)
  requireWritableFolder(settings)
  const { ok, said } = diskSpace(statfsSync(dataDir))
  const elsewhere = settings.databaseUrl ? [] : otherDisks(dataDir)
  return {
    ok: ok && elsewhere.every((disk) => disk.ok),
    detail: [
      `${dataDir} is writable, ${said}`,
      ...elsewhere.map((disk) => `its database in ${disk.folder}: ${disk.said}`),
    ].join('; '),
  }
}

function otherDisks(dataDir: string) {
  const { dev } = statSync(dataDir)
  const folders = writtenFolders(dataDir).filter((folder) => statSync(folder).dev !== dev)
  return folders.map((folder) => ({ folder, ...diskSpace(statfsSync(folder)) }))
}

function instanceState({ settings }: CommandContext): Omit<Check, 'name'> {
  if (settings.databaseUrl) return { ok: true, detail: 'DATABASE_URL is set; the embedded database is not used' }
  const instance = readInstance(settings.dataDir)
  return {
    ok: true,
    detail: instance
      ? `process ${instance.pid} runs \`panji ${instance.command}\``
      : 'no process is running on the data directory',
  }
}

async function proxies({ db }: OpenInstance, { trustedProxies }: CliSettings): Promise<Omit<Check, 'name'>> {
  const trusted = trustedProxies.join(', ')
  if (trusted !== '') return { ok: true, detail: `X-Forwarded-For is trusted from ${trusted}` }
  const seen = await lastForwarded(db)
  const detail = seen
    ? `${seen.address} sent X-Forwarded-For (${shownInstant(seen.at)}) but no proxy is trusted; if it is your proxy, set PANJI_TRUSTED_PROXIES`
    : 'none is trusted, and none was seen'
  return { ok: true, detail }
}

const noWrites =
  'are refused: DATABASE_URL points to a standby, or the database is read-only; point it to the primary, or switch default_transaction_read_only off'

type DatabaseCheck = (instance: OpenInstance, settings: CliSettings) => Promise<Omit<Check, 'name'>>

const databaseChecks: readonly (readonly [string, DatabaseCheck])[] = [
  [
    'PostgreSQL version',
    async ({ db }) => {
      const rows = await db.query<{ number: string; text: string }>(
        `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS text`,
      )
      const number = Number(rows[0]?.number)
      return {
        ok: number >= 150_000,
        detail: `${rows[0]?.text ?? 'unknown'}${number >= 150_000 ? '' : '; Panji needs 15 or newer'}`,
      }
    },
  ],
  [
    'migrations',
    async ({ db }) => {
      const newer = await newerMigrations(db)
      const rows = await db.query<{ count: number }>('SELECT count(*) FROM runtime.migration')
      const all = listMigrations().length
      const count = (rows[0]?.count ?? 0) - newer.length
      const further =
        newer.length === 0 ? '' : `; a newer Panji applied ${newer.join(', ')}, which this one is compatible with`
      return { ok: count === all, detail: `${count} of ${all} applied${further}` }
    },
  ],
  [
    'database writes',
    async ({ db }) => ((await takesWrites(db)) ? { ok: true, detail: 'are taken' } : { ok: false, detail: noWrites }),
  ],
  ['database roles', databaseRoles],
  ['database connection', databaseConnection],
  ['database connections', connectionsSuffice],
  ['standbys', standbysFollow],
  [
    'secret key',
    async ({ db, secretKey }) => {
      await checkSecretKey(db, secretKey)
      return { ok: true, detail: `the secret key matches the database; its ID is ${keyIdOf(secretKey)}` }
    },
  ],
  [
    'worker',
    async ({ db }) => ({
      ok: true,
      detail: (await workerIsPresent(db))
        ? 'a worker runs'
        : 'no worker runs; `npm start` has one, and ingest and push bring their own',
    }),
  ],
  [
    'dead letters',
    async ({ db }) => {
      const { length: count } = await listDeadLetters(db)
      const way = 'see `panji jobs dead`, then `panji jobs redrive` or `discard`'
      return { ok: count === 0, detail: count === 0 ? 'none' : `${count} jobs failed for good; ${way}` }
    },
  ],
  [
    'queue warnings',
    async ({ db }) => {
      const warnings = await recentQueueWarnings(db)
      const said = warnings.map(({ type, count, newest }) => `${type} (${count}): ${newest}`)
      return { ok: said.length === 0, detail: said.length === 0 ? 'none in the last hour' : said.join('; ') }
    },
  ],
  [
    'payments that wait',
    async ({ db }) => {
      const waiting = (await countOpenEvents(db)).filter(({ events }) => events > 0)
      const said = waiting.map(({ outcome, events }) => `${events} ${outcome.replaceAll('_', ' ')}`).join(', ')
      return {
        // Money that is on no account of the ledger is a fault; money kept as credits only needs attention.
        ok: !waiting.some(({ outcome }) => outcome === 'parked' || outcome === 'mismatch'),
        detail:
          said === '' ? 'none needs attention' : `${said}; see \`panji payments show\`, then \`panji payments settle\``,
      }
    },
  ],
  [
    'runs that wait',
    async ({ db }) => {
      const rows = await db.query<{ run_id: number }>(
        `SELECT run_id FROM ingest.run WHERE status = 'needs_approval' ORDER BY run_id`,
      )
      const ids = rows.map((row) => row.run_id).join(', ')
      return {
        ok: true,
        detail: rows.length === 0 ? 'none needs approval' : `runs ${ids} need \`panji approve\` or \`panji discard\``,
      }
    },
  ],
  ['audit log', auditLogIsWhole],
  ['backups', backupsAreFresh],
  ['scheduled runs', ({ db }) => scheduledRuns(db)],
  ['watched folders', ({ db }, { dataDir, fetchBounds }) => watchedFolders(db, { dataDir, bounds: fetchBounds })],
  [
    'ledger',
    async ({ db }) => {
      const faults = await ledgerViolations(db)
      const said = faults.map(({ invariant, subject, detail }) => `${invariant} (${subject}): ${detail}`)
      const proved = await lastProof(db)
      const since = proved
        ? `the last nightly verification ran ${shownInstant(proved.provedAt)}`
        : 'no nightly verification has run yet'
      return {
        ok: faults.length === 0,
        detail: faults.length === 0 ? `every invariant holds; ${since}` : said.join('; '),
      }
    },
  ],
  ['proxies', proxies],
]
