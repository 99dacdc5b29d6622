/** An API process on a free port; prints its address. */
import { pino } from 'pino'
import { buildServer } from '../../src/api/server.ts'
import { openDb } from '../../src/db/db.ts'
import { Secret } from '../../src/domain/secret.ts'

const [connectionString = '', secretKey = ''] = process.argv.slice(2)
const db = openDb({ connectionString, applicationName: 'panji-fault-api' })
const server = await buildServer({
  db,
  queue: { send: async () => 'not needed here' },
  log: pino({ level: 'silent' }),
  settings: { leadSource: 'Panji', onlineLabel: 'online' },
  secretKey: new Secret(secretKey),
  operatorToken: new Secret('operator-token-of-the-child'),
  trustedProxies: [],
})
await server.listen({ port: 0 })
console.log(`ready ${new Date().toISOString()} ${server.listeningOrigin}`)
