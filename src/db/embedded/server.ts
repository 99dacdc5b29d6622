/**
 * The embedded PostgreSQL: initialised once, started on a free loopback port, stopped with the process.
 *
 * The server runs behind a small shell guard that holds a pipe from this process. However the process ends (kill -9
 * included), the pipe closes and the guard shuts the server down; the next start waits for that and continues with the
 * same data. If the server ends before the process does, it is restarted on the same port.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { embeddedServerConnections } from '../../../config/connections.ts'
import { AppError } from '../../errors.ts'
import { giveToOwnerOf } from '../folder-owner.ts'
import { writeWhole } from '../whole-file.ts'
import { packagedServer } from './binaries.ts'
import { boundLog, type LogBound } from './bounded-log.ts'
import { keepRunning } from './kept-running.ts'
import { createDataFolder, locateServer, type ServerLocation, serverFolders } from './location.ts'
import { sharedMemorySettings } from './shared-memory.ts'
import { startFault } from './start-fault.ts'
import { removeStrayFile } from './stray-files.ts'
import { type UnprivilegedUser, unprivilegedUser } from './unprivileged-user.ts'
import { untilReady } from './until-ready.ts'

export interface EmbeddedServer {
  /** Connection string of the database `panji`. */
  readonly databaseUrl: string
  stop(): Promise<void>
}

const run = promisify(execFile)

/**
 * Ends the server when standard input closes or a signal arrives, and ends itself when the server does. A server that a
 * fast shutdown does not end in time is stopped immediately, and recovers at its next start: PostgreSQL 18 hangs if a
 * shutdown interrupts crash recovery, for example after a full disk.
 */
const guard = `patience=$1; shift
"$@" </dev/null & server=$!
trap 'kill -INT $server' TERM INT HUP
exec 3<&0
( cat <&3; kill -INT $server
  while [ $patience -gt 0 ] && kill -0 $server; do sleep 1; patience=$((patience - 1)); done
  kill -QUIT $server ) >/dev/null 2>&1 &
watcher=$!
exec 3<&- </dev/null
wait $server; status=$?
while kill -0 $server 2>/dev/null; do wait $server; status=$?; done
kill $watcher 2>/dev/null
exit $status`

/** A shutdown flushes memory to disk, 256 MiB at most. The next start waits up to half a minute for it. */
const stopSecondsMax = 20

export interface EmbeddedOptions {
  readonly dataDir: string
  /** Overrides of the server's settings, for tests and benchmarks: `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Size limit of the server's log, for tests. */
  readonly log?: LogBound
  /** Maximum time of a shutdown, for tests. */
  readonly stopSeconds?: number
  /** How long a starting server may be silent, for tests. */
  readonly silentSeconds?: number
  /** Whether the server is restarted if it ends unexpectedly; tests that end it turn this off. */
  readonly isKeptRunning?: boolean
}

/** @throws AppError DATABASE_START_FAILED with the end of the server's log. */
export async function startEmbeddedServer({
  dataDir,
  settings = {},
  log,
  stopSeconds = stopSecondsMax,
  silentSeconds = 60,
  isKeptRunning = true,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  mkdirSync(dataDir, { recursive: true })
  const user = unprivilegedUser(serverFolders(dataDir))
  const location = locateServer(dataDir, await packagedServer(), user)
  const password = databasePassword(dataDir)
  await waitForPredecessor(location.data)
  if (!existsSync(join(location.data, 'PG_VERSION'))) await initialise(location, password, user)

  const logPath = join(dataDir, 'postgres.log')
  const port = await freePort()
  const databaseUrl = `postgresql://panji:${password}@127.0.0.1:${port}/panji`
  const start = async (launched: (server: ChildProcess) => void = () => {}): Promise<ChildProcess> => {
    const leaveLog = boundLog(logPath, log)
    const said = existsSync(logPath) ? statSync(logPath).size : 0
    const server = launch(location, port, settings, user, { logPath, stopSeconds })
    server.once('exit', leaveLog)
    launched(server)
    try {
      await untilReady(databaseUrl, server, { logPath, silentSeconds, data: location.data })
      return server
    } catch (error) {
      if (!removeStrayFile(location.data, readFileSync(logPath).subarray(said).toString())) throw error
      return await start(launched)
    }
  }
  const server = await start()
  const kept = isKeptRunning ? keepRunning(server, start, stop) : { stop: () => stop(server) }
  return { databaseUrl, stop: kept.stop }
}

function databasePassword(dataDir: string): string {
  const path = join(dataDir, 'database-password')
  if (!existsSync(path)) writeWhole(path, randomBytes(24).toString('hex'))
  return readFileSync(path, 'utf8').trim()
}

/** Call before removing a folder: the server that a killed process left there writes until it has shut down. */
export async function waitForServersOf(dataDir: string): Promise<void> {
  for (const data of serverFolders(dataDir)) await waitForPredecessor(data)
}

/** A server left by a killed process is still shutting down; PostgreSQL would refuse to start next to it. */
async function waitForPredecessor(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  const deadline = Date.now() + 30_000
  while (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    if (!isServerOf(pid, data)) return
    if (Date.now() > deadline) {
      throw new AppError(
        'DATABASE_START_FAILED',
        `A database server (process ${pid}) still runs on ${data}. Stop it first.`,
      )
    }
    await delay(50)
  }
}

/**
 * A pid file may outlive a reboot and name an unrelated process, so the command line is compared if /proc is available.
 */
function isServerOf(pid: number, data: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return existsSync('/proc/self') === false
  }
}

async function initialise(
  location: ServerLocation,
  password: string,
  user: UnprivilegedUser | undefined,
): Promise<void> {
  // A folder without PG_VERSION is left over from an interrupted initdb; it contains no data.
  rmSync(location.data, { recursive: true, force: true })
  createDataFolder(location.data, user)
  const passwordFile = join(location.data, '..', `.password-${process.pid}`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  try {
    await run(
      join(location.binaries, 'bin', 'initdb'),
      [
        ...['-D', location.data, '-U', 'panji', '-E', 'UTF8', '--locale=C.UTF-8', '--locale-provider=builtin'],
        ...['--builtin-locale=C.UTF-8', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-instructions'],
        ...parametersOf(sharedMemorySettings()),
      ],
      { ...user, cwd: '/', env: serverEnvironment() },
    )
  } catch (error) {
    rmSync(location.data, { recursive: true, force: true })
    throw startFault(location.data, initdbFault(ownWords(error as Error & { stdout?: string; stderr?: string })), error)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** initdb looks up the user's name, which fails in a container that runs under an arbitrary user id. */
function initdbFault(words: string): string {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(words) ?? []
  if (uid === undefined) return `initdb failed: ${words}`
  return `The user id ${uid} that Panji runs as has no account on this machine, and PostgreSQL makes no database without one: run it as a user that /etc/passwd has, or set DATABASE_URL`
}

/** A failed program's own output; the spawn error if it could not be run at all. */
function ownWords({ stderr = '', stdout = '', message }: Error & { stdout?: string; stderr?: string }): string {
  return stderr.trim() || stdout.trim() || message
}

function launch(
  location: ServerLocation,
  port: number,
  settings: Readonly<Record<string, string>>,
  user: UnprivilegedUser | undefined,
  { logPath, stopSeconds }: { readonly logPath: string; readonly stopSeconds: number },
): ChildProcess {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(embeddedServerConnections),
    shared_buffers: '256MB',
    work_mem: '32MB',
    maintenance_work_mem: '256MB',
    // Nothing replicates this server, so a table filled in the transaction that creates it needs no WAL.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    shared_preload_libraries: 'pg_stat_statements',
    logging_collector: 'off',
    // The caller gets the error of a failed statement. In this log, its text would be arbitrary API input, kilobytes of
    // it.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...sharedMemorySettings(),
    ...settings,
  }
  const log = openSync(logPath, 'a', 0o600)
  chmodSync(logPath, 0o600)
  giveToOwnerOf(dirname(logPath), log)
  const binary = join(location.binaries, 'bin', 'postgres')
  // Detached: Ctrl-C in the terminal reaches only Panji, which finishes its work before it stops the database.
  const child = spawn(
    'sh',
    [
      '-c',
      guard,
      'panji-postgres-guard',
      ...[String(stopSeconds), binary, '-D', location.data, '-p', String(port), ...parametersOf(all)],
    ],
    {
      ...user,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['pipe', log, log],
      detached: true,
    },
  )
  closeSync(log)
  return child
}

const parametersOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** The server needs none of our variables, and the caller's PG* variables would mislead it. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...clockOfThisProcess() }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  server.stdin?.end()
  await ended
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/**
 * If this process runs under a libfaketime clock, the server gets the same one: both must agree on the day.
 * FAKETIME_SHARED is left out: it names an object of this process's user, and the server may run as another.
 */
function clockOfThisProcess(): NodeJS.ProcessEnv {
  if (process.env['FAKETIME'] === undefined) return {}
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => name === 'LD_PRELOAD' || (name.startsWith('FAKETIME') && name !== 'FAKETIME_SHARED'),
    ),
  )
}
