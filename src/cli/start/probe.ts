/** `/healthz`, `/readyz` and `/metrics` of a process that serves no API. */
import { buildProbeServer } from '../../api/probe-server.ts'
import { openDb } from '../../db/db.ts'
import { listening } from '../faults/listen-fault.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { operatorTokenOf } from '../instance/secrets.ts'
import type { CommandContext } from '../settings.ts'
import { buildId, panjiVersion } from '../version.ts'
import type { Role } from './role.ts'
import { stopAll } from './stop-all.ts'

/** A worker that cannot report its health should not run unobserved: a port in use ends the start. */
export async function startProbe(
  { settings, log }: CommandContext,
  { workerDb, connections, secretKey }: OpenInstance,
  role: Role,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const readinessDb = openDb({
    ...connections.panji_worker,
    applicationName: `panji:${process.pid}:ready`,
    connectionsMax: 1,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  const given = [operatorTokenOf(settings), settings.metricsToken, ...settings.operators.map(({ token }) => token)]
  const tokens = given.filter((token) => token !== undefined)
  const build = { version: panjiVersion(), build: buildId(), role }
  const server = buildProbeServer({
    db: workerDb,
    readinessDb,
    secretKey,
    tokens,
    build,
    log,
    dataDir: settings.dataDir,
  })
  const close = () => stopAll([() => server.close(), () => readinessDb.close()])
  const { host } = settings.probe
  try {
    await listening({ host, port, portName: 'PANJI_PROBE_PORT', hostName: 'PANJI_PROBE_HOST' }, () =>
      server.listen({ host, port }),
    )
  } catch (error) {
    await close()
    throw error
  }
  return { url: server.listeningOrigin, close }
}
