/**
 * What `docs/cli.md` says that a command prints with `--json`, against what it prints in the sample world: the members that it
 * names, and no other where no `…` stands for more. The page is made of the declarations, so this holds these.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { laySampleWorld } from '../support/sample-world.ts'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
const told = new Map(
  page.split(/^#{2,3} panji /m).flatMap((part) => {
    const [, shape] = /^Prints with `--json`: `?([[{].*)\.$/m.exec(part) ?? []
    return shape === undefined ? [] : [[part.split('\n')[0] ?? '', shape]]
  }),
)

const home = panjiHome()
const panji = panjiProgram({ PANJI_DATA_DIR: home.dataDir })
const known: Record<string, string> = {}
let started: NodeProcess

beforeAll(async () => {
  await laySampleWorld(home.dataDir)
  started = home.run('start')
  await started.line('Ctrl-C stops.')
  const firstOf = async (name: string, ...words: string[]) =>
    String(((await panji.json(...words)).answer as Record<string, unknown>[])[0]?.[name])
  known['OUT'] = join(home.dataDir, 'generated')
  known['USER'] = await firstOf('user_id', 'account', 'find', '@')
  known['DESTINATION'] = await firstOf('destination_id', 'destination', 'list', known['USER'])
  known['ORDER'] = await firstOf('order_id', 'order', 'find', known['USER'])
}, 300_000)
afterAll(async () => {
  started.child.kill('SIGINT')
  await started.ended
  home.remove()
}, 120_000)

/** Lines that hold in the sample world as it stands. */
const lines = [
  ...['migrate', 'doctor', 'alert test', 'rejects 4', 'quality mca-companies', 'scope list mca-companies'],
  ...['recount', 'sql mca-companies', 'schedules', 'schedule list', 'jobs redrive --all', 'jobs discard --all --yes'],
  ...['account create --email asha@example.in', 'account key create USER --name crm', 'account key list USER'],
  ...['account people USER', 'account invite USER ravi@example.in --role buyer', 'account link USER ravi@example.in'],
  ...['account grants USER', 'ledger check', 'ledger month 2026-01', 'invoices list', 'payments owed'],
  ...['destination test-row DESTINATION', 'push ORDER --destination DESTINATION', 'deliveries list --order ORDER'],
  ...[
    'deliveries retry --all',
    'standing-order list',
    'ledger close-month 2026-01 --yes',
    'webhook add USER --url https://example.com/hook',
    'secrets rotate',
    'sample generate --out OUT --companies 5 --gst 5 --directors 5',
  ],
]

/** The names of the outermost members of `{a, b: {c}, …}`. */
const membersOf = (shape: string): string[] => {
  const inner = shape.slice(shape.indexOf('{') + 1, shape.lastIndexOf('}'))
  const flat = inner.replace(/\[\{[^}]*\}\]|\{[^}]*\}/g, '')
  return flat.split(',').map((member) => member.split(':')[0]?.trim() ?? '')
}

test.each(lines)('panji %s prints the members that the page names', async (line) => {
  const words = line.split(' ').map((word) => known[word] ?? word)
  const command = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => told.has(name)) ?? ''
  const shape = told.get(command) ?? ''
  const { code, answer, stderr } = await panji.json(...words)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  expect(Array.isArray(answer)).toBe(shape.startsWith('['))
  const first = (Array.isArray(answer) ? answer[0] : answer) as object | undefined
  if (first === undefined) return
  const members = membersOf(shape)
  const given = members.includes('…') ? Object.keys(first).filter((name) => members.includes(name)) : Object.keys(first)
  expect(given.toSorted()).toEqual(members.filter((name) => name !== '…').toSorted())
})
