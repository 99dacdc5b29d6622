/** Origin of the links that a command prints: the public one, or where the running instance or the settings say it listens. */
import { readInstance } from '../../db/embedded/instance-lock.ts'
import { hostInUrl } from '../../domain/host-in-url.ts'
import type { CliSettings } from '../settings.ts'

export function apiOrigin({
  connect: { publicUrl },
  databaseUrl,
  dataDir,
  host,
  port,
}: Pick<CliSettings, 'connect' | 'databaseUrl' | 'dataDir' | 'host' | 'port'>): string {
  // An instance of the data directory has another database than DATABASE_URL's.
  const running = databaseUrl === undefined ? readInstance(dataDir)?.apiUrl : undefined
  return publicUrl ?? running ?? `http://${hostInUrl(host)}:${port}`
}
