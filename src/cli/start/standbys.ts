/** The standbys that an API reads from: at each a pool per kind of read, and one connection for health checks. */

import type { Db, DbOptions } from '../../db/db.ts'
import { followedDb } from '../../db/standbys/followed-db.ts'
import { type StandbyWatch, watchStandbys } from '../../db/standbys/watch.ts'
import { addressOfServer, serversOf } from '../../domain/database-address.ts'
import type { CommandContext } from '../settings.ts'

export interface Standbys {
  readonly watch: StandbyWatch
  /** @param ofEach opens a pool of that kind at each standby. */
  follow(primary: Db, ofEach: (connectionString: string) => Db): Db
  close(): Promise<void>
}

/** @param open a connection as the API. @returns undefined where no standbys are configured. */
export function openStandbys(
  { settings, log }: CommandContext,
  open: (name: string, connectionsMax: number, options?: Partial<DbOptions>) => Db,
): Standbys | undefined {
  const address = settings.readDatabaseUrl?.reveal()
  if (address === undefined) return undefined
  const primary = open('standbys', 1)
  const pools: Db[] = [primary]
  const keep = (db: Db): Db => {
    pools.push(db)
    return db
  }
  const standbys = serversOf(address).map(({ host, port }, place) => {
    const connectionString = addressOfServer(address, place)
    return { name: `${host}:${port}`, connectionString, db: keep(open('standby', 2, { connectionString })) }
  })
  const watch = watchStandbys(primary, standbys, (standby, isUsed) => {
    if (isUsed) log.info({ standby }, 'reading from a standby')
    else log.warn({ standby }, 'a standby is lagging or unreachable and is not read')
  })
  return {
    watch,
    follow: (followed, ofEach) =>
      followedDb(
        followed,
        standbys.map(({ connectionString, db }) => ({ reads: keep(ofEach(connectionString)), cancels: db })),
        watch,
      ),
    async close() {
      await watch.stop()
      for (const pool of pools) await pool.close()
    },
  }
}
