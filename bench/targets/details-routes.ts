/** The details routes with their schemas, without authentication and limits around them. */

import { details } from '../../src/api/operations/details/index.ts'
import { openDb } from '../../src/db/db.ts'
import { bareApi } from '../../test/support/bare-api.ts'
import { routesOf } from '../../test/support/routes-of.ts'
import type { StartTarget } from '../server-thread.ts'

export const startTarget: StartTarget = async (databaseUrl) => {
  const db = openDb({ connectionString: databaseUrl, applicationName: 'panji-bench' })
  const { app } = await bareApi({ db }, routesOf(details))
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), callers: [] }
}
