/** `npm run bench -- <name> [options]`: runs one bench in a process of its own; without a name it lists them. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const benches = {
  'isolated-parser': 'JSON Lines and a workbook read through the isolated parser, compared with the worker itself',
  console: 'details while operators watch the health page; the first page at a quarter of the processor speed',
  contacts: 'a contact list of common shapes, compared with shapes that SQL cannot parse, and a raw COPY',
  screener: 'twenty screener queries with their totals, compared with the same SQL by hand',
  'name-search': 'searches by name over two million names, compared with the staged query by hand',
  soak: 'event loop and memory of the server under 200,000 mixed requests',
  delivery: 'leads to each CRM compared with what its limits allow; memory, calls, first lead, a killed worker',
  'delivery-faults': 'seeded runs into each CRM with limits, cuts, deaths, pauses, renewals and newer orders',
  details: 'company details a second, the whole server compared with a bare Fastify + pg route',
  exports: 'memory of the server under exports of a million rows; health checks during sixty exports',
  feeds: 'first page of a feed with its total, compared with a bare route without a total',
  'lead-rows': 'lead rows of orders of a thousand items, compared with one hand-written query per order',
  'fuzz-inputs': 'mutated files of every kind through all parsers, for a minute',
  guards: 'what counting the changes of a file costs a first load and refreshes, as a share of the run',
  hostile:
    'details and readiness while hostile accounts search or send bodies, and during anonymous calls; with and without the walls',
  country:
    'the whole country: first load, a night with 0.5 % changed, reads afterwards compared with a world of a million',
  ingest: 'a company snapshot through all steps, compared with raw COPY, an expert script and pgloader',
  orders: 'orders a second compared with a bare transaction of the same writes; an account with a million entries',
  reads: 'details at a fixed rate while a million rows are merged, compared with an idle database',
  refresh: 'a large register with 5 % changed, compared with MERGE and ON CONFLICT written by hand',
  anonymous: 'details of a customer during 200 connections without a key, compared with an idle server',
  sample: 'rows a second of the sample generator',
  'standing-orders':
    'standing orders evaluated after an import, compared with one statement by hand; what they buy, delivered to a sandbox',
  size: 'ten times the rows: time and memory of the worker',
} as const

const [name = '', ...options] = process.argv.slice(2)
if (Object.hasOwn(benches, name)) {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  const lines = Object.entries(benches).map(([bench, what]) => `  ${bench.padEnd(16)} ${what}`)
  console.error(['Usage: npm run bench -- <name> [options]', '', ...lines].join('\n'))
  process.exitCode = name === '' ? 0 : 2
}
