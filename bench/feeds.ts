/**
 * The first page of each feed with its exact total, also filtered by state, district and pincode, and for accounts with
 * several overlapping grants, through the whole server, compared with a bare Fastify + pg route that reads the same
 * page by its index without a total. Prints one JSON document with the ratios of the p99 times.
 *
 * npm run bench -- feeds [--seconds 3] [--rounds 3] [--connections 16] [--accounts 50] [--companies 1000000] [--gst
 * 1000000] [--directors 200000] [--database FOLDER]
 */
import { parseArgs } from 'node:util'
import { withBenchDatabase } from './bench-database.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { type Contender, measureSideBySide, ratioOf } from './side-by-side.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    accounts: { type: 'string', default: '50' },
    ...registerOptions({ companies: 1_000_000, gst: 1_000_000, directors: 200_000 }),
  },
})
const sizes = sizesOf(options)
const page = { page: 1, limit: 10 }
const variants = {
  company: { path: 'companies', body: page },
  companyByState: { path: 'companies', body: { ...page, state: 'Kerala' } },
  companyByDistrict: { path: 'companies', body: { ...page, district: 'Golsaipur' } },
  companyByPincode: { path: 'companies', body: { ...page, pincode: '310000' } },
  gst: { path: 'gst', body: page },
  gstByState: { path: 'gst', body: { ...page, state: 'Kerala' } },
  director: { path: 'directors', body: page },
} as const
type Variant = keyof typeof variants
const names = Object.keys(variants) as Variant[]

const firstOfCompanies = () => ({ method: 'POST', path: '/api/recently-registered/companies', body: page }) as const
const contendersOf = (server: Pick<Contender, 'module' | 'options'>, prefix: string): [string, Contender][] =>
  names.map((name) => {
    const { path, body } = variants[name]
    const request = () => ({ method: 'POST', path: `/api/recently-registered/${path}`, body }) as const
    return [`${prefix} ${name}`, { ...server, request }]
  })
const target = (name: string) => new URL(`targets/${name}.ts`, import.meta.url)
const full = { module: target('full'), options: { accounts: Number(options.accounts) } }
const contenders: Readonly<Record<string, Contender>> = {
  ...Object.fromEntries(contendersOf({ module: target('bare-feed') }, 'bare')),
  ...Object.fromEntries(contendersOf(full, 'panji')),
  'bare companySeveral': { module: target('bare-feed'), request: firstOfCompanies },
  'panji companySeveral': { ...full, module: target('several-grants'), request: firstOfCompanies },
}

const measured = await withBenchDatabase(sizes, options.database, ({ databaseUrl }) =>
  measureSideBySide(databaseUrl, contenders, {
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    connections: Number(options.connections),
  }),
)
const feeds = [...names, 'companySeveral'].map((name) => {
  const bare = measured[`bare ${name}`]
  const panji = measured[`panji ${name}`]
  if (!bare || !panji) throw new Error(`${name} was not measured`)
  const ratios = {
    p99: ratioOf(panji, bare, ({ p99Ms }) => p99Ms),
    p50: ratioOf(panji, bare, ({ p50Ms }) => p50Ms),
    perSecond: ratioOf(panji, bare, ({ perSecond }) => perSecond),
  }
  return { feed: name, ratios, bare: bare.median, panji: panji.median }
})
console.log(JSON.stringify({ bench: 'feeds', sizes, feeds }, null, 2))
