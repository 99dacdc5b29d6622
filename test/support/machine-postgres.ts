/**
 * A PostgreSQL server of the machine's distribution, in a temporary folder: what Panji uses where there is no embedded
 * one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedUser } from '../../src/db/embedded/unprivileged-user.ts'
import { freePort } from './free-port.ts'

const versions = '/usr/lib/postgresql'

/** The folder of the newest server's programs; undefined where none is installed, which is printed. */
export function machineServer(): string | undefined {
  const found = (existsSync(versions) ? readdirSync(versions) : [])
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => join(versions, version, 'bin'))
    .filter((bin) => existsSync(join(bin, 'initdb')))
    .at(-1)
  if (found === undefined) console.warn(`skipped: no PostgreSQL server below ${versions} (Debian: postgresql)`)
  return found
}

export interface MachinePostgres {
  readonly url: string
  stop(): Promise<void>
}

export async function startMachinePostgres(bin: string): Promise<MachinePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'panji-machine-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const user = unprivilegedUser()
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid)
  const asUser = { ...user, cwd: '/' }
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'panji', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '-N'],
    {
      ...asUser,
      stdio: 'ignore',
    },
  )
  const port = await freePort()
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off']
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
    ...asUser,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      printed += String(chunk)
      if (printed.includes('database system is ready')) resolve()
    })
    server.once('exit', () => reject(new Error(printed)))
  })
  return {
    url: `postgres://panji@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGINT')
      await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
