/** In a tree with an added source: migrates a database, imports its snapshots, and prints the runs and the table. */
import { sourceNamed } from '../../src/ingest/run/request-run.ts'
import { type AskedIngest, takeIn } from './recipe-ingest.ts'

const asked = JSON.parse(process.argv[2] ?? '') as AskedIngest
const { api, applied, runs, close } = await takeIn(asked)
const { table, key } = sourceNamed(asked.source)
const rows = await api.query(`SELECT * FROM ${table} ORDER BY ${key}`)
console.log(JSON.stringify({ applied, runs, rows }))
await close()
