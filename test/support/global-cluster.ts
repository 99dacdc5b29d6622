/** One embedded PostgreSQL for the whole test run, of all its projects, with a migrated template that every test file copies. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { embeddedRoleConnections } from '../../src/cli/instance/role-connections.ts'
import { openDb } from '../../src/db/db.ts'
import { startEmbeddedServer } from '../../src/db/embedded/server.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { AppRole } from '../../src/db/roles.ts'
import { startQueue } from '../../src/queue/queue.ts'
import { databaseAt, onceConnected } from './database-url.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * As the superuser, in the maintenance database: a connection to the template would prevent others from copying it.
     */
    clusterUrl: string
    /** As the roles of the app, which log in for themselves; also in the maintenance database. */
    roleUrls: Readonly<Record<AppRole, string>>
  }
}

interface Cluster {
  readonly clusterUrl: string
  readonly roleUrls: Readonly<Record<AppRole, string>>
  stop(): Promise<void>
}

/** Per process: each project loads this file again, and their setups follow one another. */
const shared = globalThis as { panjiTestCluster?: { cluster: Promise<Cluster>; users: number } }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.panjiTestCluster ??= { cluster: startCluster(), users: 0 }
  const use = shared.panjiTestCluster
  use.users += 1
  const cluster = await use.cluster
  project.provide('clusterUrl', cluster.clusterUrl)
  project.provide('roleUrls', cluster.roleUrls)
  return async () => {
    use.users -= 1
    if (use.users === 0) await cluster.stop()
  }
}

async function startCluster(): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-test-'))
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedServer({
    dataDir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  const db = openDb({ connectionString: server.databaseUrl, applicationName: 'panji-test-setup' })
  await migrate(db)
  const roles = await embeddedRoleConnections(db, server.databaseUrl, dataDir, true)
  await db.close()
  const queue = await startQueue({
    connectionString: server.databaseUrl,
    role: 'panji_worker',
    supervise: false,
    onError: () => {},
  })
  await queue.stop()
  const clusterUrl = databaseAt(server.databaseUrl, 'postgres')
  await onceConnected(clusterUrl, 'ALTER DATABASE panji ALLOW_CONNECTIONS false')
  return {
    clusterUrl,
    roleUrls: {
      panji_api: databaseAt(roles.panji_api.connectionString, 'postgres'),
      panji_worker: databaseAt(roles.panji_worker.connectionString, 'postgres'),
      panji_trade: databaseAt(roles.panji_trade.connectionString, 'postgres'),
    },
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
