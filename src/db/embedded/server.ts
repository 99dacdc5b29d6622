/**
 * The embedded PostgreSQL: initialised once, started on a free loopback port, stopped with the process.
 *
 * The server runs behind a small shell guard that holds a pipe from this process. When the process ends, however
 * it ends (kill -9 included), the pipe closes and the guard shuts the server down; the next start waits for that
 * and continues on the same data. A server that ends before the process does is started again on its port.
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
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { embeddedServerConnections } from '../../../config/connections.ts'
import { AppError } from '../../errors.ts'
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
 * Ends the server when standard input closes or a signal comes; otherwise ends when the server does. A server that a fast shutdown does not
 * end is ended at once, and repairs itself at its next start: PostgreSQL 18 waits for ever where the shutdown meets the recovery from a
 * crash, as after a disk that ran full.
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

/** A shutdown writes what is in memory to the disk, 256 MiB at most. Whoever starts next waits for half a minute. */
const stopSecondsMax = 20

export interface EmbeddedOptions {
  readonly dataDir: string
  /** Settings on top of the defaults, for tests and benches: `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Another bound of the server's log, for tests. */
  readonly log?: LogBound
  /** How long a shutdown may take, for tests. */
  readonly stopSeconds?: number
  /** How long a server that starts may say nothing, for tests. */
  readonly silentSeconds?: number
  /** Whether it is started again where it ends unasked; tests that end it say no. */
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

/** Whoever takes a folder away waits first: the server that a killed process left there writes until it has shut down. */
export async function waitForServersOf(dataDir: string): Promise<void> {
  for (const data of serverFolders(dataDir)) await waitForPredecessor(data)
}

/** A server left by a killed process is shutting down; starting beside it would be refused by PostgreSQL. */
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

/** A pid file may outlive a reboot and name an unrelated process, so the command line is compared where /proc tells. */
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
  // A folder without PG_VERSION is the rest of an interrupted initdb; it holds no data.
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

/** initdb asks the machine for the name of its user, as of a container that is given another user id. */
function initdbFault(words: string): string {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(words) ?? []
  if (uid === undefined) return `initdb failed: ${words}`
  return `The user id ${uid} that Panji runs as has no account on this machine, and PostgreSQL makes no database without one: run it as a user that /etc/passwd has, or set DATABASE_URL`
}

/** What a program said of its failure; of one that could not be run at all, why. */
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
    // Nothing replicates this server, so a table that is filled where it is made needs no log of its rows.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    shared_preload_libraries: 'pg_stat_statements',
    logging_collector: 'off',
    // A failed statement is told to its caller. Here its text would be whatever a caller of the API sent, kilobytes of it.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...sharedMemorySettings(),
    ...settings,
  }
  const log = openSync(logPath, 'a', 0o600)
  chmodSync(logPath, 0o600)
  const binary = join(location.binaries, 'bin', 'postgres')
  // Detached: a Ctrl-C in the terminal reaches Panji alone, which ends its work before it ends the database.
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

/** The server needs no variable of ours, and PG* of the caller would mislead it. */
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
 * Whoever gives this process another clock, by libfaketime, gives it to the server, too: the two must agree on the day. What
 * FAKETIME_SHARED names belongs to the user of this process, and the server may be another's.
 */
function clockOfThisProcess(): NodeJS.ProcessEnv {
  if (process.env['FAKETIME'] === undefined) return {}
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => name === 'LD_PRELOAD' || (name.startsWith('FAKETIME') && name !== 'FAKETIME_SHARED'),
    ),
  )
}
