/**
 * Opens the database of a command: that of DATABASE_URL, that of the instance running on the data directory, or the
 * embedded server for the duration of the command. Only with `creates` is an instance created, so that a command run in
 * a wrong folder changes nothing there, and only with it is a database migrated that other processes may be using.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ownerConnections } from '../../../config/connections.ts'
import { type Db, openDb } from '../../db/db.ts'
import {
  acquireFree,
  acquireInstance,
  type Instance,
  type InstanceLock,
  readInstance,
} from '../../db/embedded/instance-lock.ts'
import { startEmbeddedServer } from '../../db/embedded/server.ts'
import { migrate, missingMigrations } from '../../db/migrate.ts'
import { requireOpenSchema } from '../../db/suitable-database.ts'
import { refuseUnfinishedRestore } from '../../db/unfinished-restore.ts'
import { takesWrites } from '../../db/writable.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import {
  ensureSuppressionKey,
  type SuppressionSettings,
  suppressionSettings,
} from '../../suppression/suppression-key.ts'
import { reachDatabase } from '../faults/database-refusal.ts'
import type { CommandContext } from '../settings.ts'
import { prepareDataDir, requireInstance } from './data-directory.ts'
import { untilAlone, type Visit, visit } from './guests.ts'
import { embeddedRoleConnections, isOwner, type RoleConnections, roleConnections } from './role-connections.ts'
import { secretKeysOf } from './secrets.ts'

export interface OpenInstance {
  /** With the owner's login, for commands: manual work of an operator. */
  readonly db: Db
  /** As panji_worker, for jobs and schedules. An API has its own connections. */
  readonly workerDb: Db
  readonly databaseUrl: string
  readonly connections: RoleConnections
  readonly secretKey: Secret
  /** Migrations applied by opening the instance. */
  readonly applied: readonly string[]
  /** Set when this process owns the data directory. */
  readonly lock: InstanceLock | undefined
  close(): Promise<void>
}

export interface OpenOptions {
  /** The instance must not be shared: it must be this process's own (`start`). */
  readonly exclusive?: boolean
  /** Creates an instance where there is none, and migrates it (`start`, `migrate`, `restore`). */
  readonly creates?: boolean
  /** Inspects the database before anything is migrated, and may throw. */
  readonly beforeMigration?: (db: Db) => Promise<void>
}

export async function openInstance(
  context: CommandContext,
  command: string,
  options: OpenOptions = {},
): Promise<OpenInstance> {
  const { settings } = context
  const creates = options.creates ?? false
  if (!settings.databaseUrl && !creates) requireInstance(settings)
  // With DATABASE_URL a command needs no folder, and may run anywhere.
  if (!settings.databaseUrl || options.exclusive) prepareDataDir(settings)
  if (settings.databaseUrl)
    return connected(context, settings.databaseUrl.reveal(), undefined, { ...options, creates }, async () => {})

  const found = options.exclusive
    ? acquireInstance(settings.dataDir, command)
    : await guestOrOwner(settings.dataDir, command, context.signal)
  if ('end' in found)
    return connected(context, found.databaseUrl, undefined, { ...options, creates }, () => found.end())

  return openOwn(context, found, options.exclusive ?? false)
}

/** The embedded server of the data directory that this process has locked. */
async function openOwn(context: CommandContext, lock: InstanceLock, isExclusive: boolean): Promise<OpenInstance> {
  let opened: OpenInstance | undefined
  try {
    const { databaseUrl, stop } = await startEmbeddedServer({ dataDir: context.settings.dataDir })
    const close = async () => {
      try {
        if (isExclusive) lock.withdraw()
        else await untilAlone(databaseUrl, lock, context.out.note)
      } finally {
        await stop()
        lock.release()
      }
    }
    opened = await connected(context, databaseUrl, lock, { creates: true }, close)
    // Until the schema is there, other commands wait for it.
    lock.publish({ databaseUrl })
    return opened
  } catch (error) {
    await opened?.close()
    lock.release()
    throw error
  }
}

/** Commands that begin and end at the same time: whoever finds neither a database nor an owner becomes the owner. */
async function guestOrOwner(
  dataDir: string,
  command: string,
  signal: AbortSignal,
): Promise<InstanceLock | (Visit & { readonly databaseUrl: string })> {
  for (;;) {
    const { databaseUrl } = (await readyInstance(dataDir, signal)) ?? {}
    if (databaseUrl === undefined) {
      const lock = acquireFree(dataDir, command)
      if (lock) return lock
    } else {
      const guest = await visit(dataDir, databaseUrl)
      if (guest) return { ...guest, databaseUrl }
    }
    await delay(20, undefined, { signal })
  }
}

/** A process that is just starting publishes its database within moments; one that is ending is gone by then. */
async function readyInstance(dataDir: string, signal: AbortSignal): Promise<Instance | undefined> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const instance = readInstance(dataDir)
    if (!instance || instance.databaseUrl) return instance
    if (Date.now() > deadline) {
      throw new AppError(
        'DATA_DIR_IN_USE',
        `Process ${instance.pid} holds ${dataDir} but its database is not ready. Try again.`,
      )
    }
    await delay(100, undefined, { signal })
  }
}

async function connected(
  context: CommandContext,
  databaseUrl: string,
  lock: InstanceLock | undefined,
  { creates, beforeMigration }: Pick<OpenOptions, 'creates' | 'beforeMigration'>,
  release: () => Promise<void>,
): Promise<OpenInstance> {
  const onError = (error: Error) => context.log.warn({ err: error }, 'a database connection was lost')
  const open = (settings: SuppressionSettings) =>
    openDb({
      connectionString: databaseUrl,
      applicationName: applicationName(),
      connectionsMax: ownerConnections,
      settings,
      onError,
    })
  let db = open({})
  try {
    if (context.settings.databaseUrl) await reachDatabase(db, databaseUrl)
    await requireOpenSchema(db)
    await refuseUnfinishedRestore(db)
    if (creates !== true) await requireSchema(db, context.settings)
    await beforeMigration?.(db)
    const applied = creates === true ? await migrate(db) : []
    const secretKey = secretKeysOf(context.settings)
    // On a standby, read-only commands still work.
    if ((await takesWrites(db)) && (await isOwner(db))) {
      // Creating the first canary reads everything that is sealed, which only the owner may do. A wrong key is reported
      // elsewhere.
      await db.transaction((tx) => ensureSuppressionKey(tx, secretKey))
    }
    const settings = await suppressionSettings(db, secretKey)
    await db.close()
    db = open(settings)
    const connections = context.settings.databaseUrl
      ? await roleConnections(db, databaseUrl, settings)
      : await embeddedRoleConnections(db, databaseUrl, context.settings.dataDir, lock !== undefined, settings)
    const workerDb = openDb({
      ...connections.panji_worker,
      applicationName: applicationName(),
      connectionsMax: context.settings.connections.jobs,
      onError,
    })
    const ownerDb = db
    return {
      db: ownerDb,
      workerDb,
      databaseUrl,
      connections,
      lock,
      applied,
      secretKey,
      async close() {
        await workerDb.close()
        await ownerDb.close()
        await release()
      },
    }
  } catch (error) {
    await db.close()
    await release()
    throw error
  }
}

/**
 * @throws AppError NO_INSTANCE for a database without any migration; DATA_DIR_IN_USE where `start` is about to apply
 * the first; SCHEMA_BEHIND where some are missing: the processes that use it may be of an earlier version.
 */
async function requireSchema(db: Db, { databaseUrl, dataDir }: CommandContext['settings']): Promise<void> {
  const [found] = await db.query<{ migrated: boolean }>(
    `SELECT to_regclass('runtime.migration') IS NOT NULL AS migrated`,
  )
  if (found?.migrated) return requireCurrentSchema(db, databaseUrl ? undefined : dataDir)
  if (!databaseUrl)
    throw new AppError('DATA_DIR_IN_USE', `The instance on ${dataDir} is being created right now. Try again.`)
  throw new AppError(
    'NO_INSTANCE',
    'The database of DATABASE_URL has no Panji, and this command does not create one. `panji migrate` does.',
  )
}

async function requireCurrentSchema(db: Db, runningOn: string | undefined): Promise<void> {
  const [first, ...others] = await missingMigrations(db)
  if (first === undefined) return
  const missing = others.length > 0 ? `${first} and ${others.length} more` : first
  const [whose, way] =
    runningOn === undefined
      ? ['The database of DATABASE_URL', 'Run `panji migrate`, which applies them.']
      : [`The Panji running on ${runningOn}`, 'Stop it and start this version, which applies them.']
  throw new AppError(
    'SCHEMA_BEHIND',
    `${whose} has the schema of another version, without migrations of this one (${missing}). This command applies none. ${way}`,
  )
}

const applicationName = () => `panji:${process.pid}`
