/** A process that holds an embedded database until it is killed; prints its address. */
import { acquireInstance } from '../../src/db/embedded/instance-lock.ts'
import { startEmbeddedServer } from '../../src/db/embedded/server.ts'

const dataDir = process.argv[2] ?? ''
const lock = acquireInstance(dataDir, 'start')
const server = await startEmbeddedServer({ dataDir })
lock.publish({ databaseUrl: server.databaseUrl })
console.log(`ready ${server.databaseUrl}`)
setInterval(() => {}, 1_000)
