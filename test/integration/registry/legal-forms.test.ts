/** A piece of a name that names a legal form beside other words is compared with the legal form of the names. */
import { beforeAll, describe, expect, test } from 'vitest'
import { collectNameWords } from '../../../src/ingest/after/name-words.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertGst, raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const names = [
  'VISION PRIVATE LIMITED',
  'MISSIONS PRIVATE LIMITED',
  'Missions Pvt. Ltd.',
  'MISSIONS (P) LTD',
  'SOLUTIONS, PRI VATE LIMITED',
  'MISSIONS LIMITED',
  'MISSIONS (OPC) PRIVATE LIMITED',
  'MISSIONS LLP',
  'MISSIONS LIMITED LIABILITY PARTNERSHIP',
  'UNIONS COMPANY LTD',
  "THE D'SOUZA & SONS PRIVATE LIMITED",
  'AÇÕES E UNIÕES PRIVATE LIMITED',
  'ROSE P LIMITED',
  'ROSE PRODUCTS LIMITED',
  'ROSE AND THORN LLP',
]
const cin = (index: number) => `U85100GA2022PTC${String(index).padStart(6, '0')}`

beforeAll(async () => {
  for (const [index, name] of names.entries()) await insertCompany(database.db, { cin: cin(index), name })
  await insertGst(database.db, { gstin: '27AAACR5055K1Z7', trade_name: 'Konkan Unions Pvt Ltd' })
  await insertGst(database.db, { gstin: '29AAICA3918J1ZE', trade_name: 'Deccan Unions Limited' })
  await raiseVersion(database.db, 'company')
})

async function found(query: string): Promise<string[]> {
  const { results } = await runScreener(database.db, { type: 'company', query, page: 1, limit: 200 })
  return results.map(({ CIN }) => names[Number(CIN.slice(-6))] ?? CIN)
}

const privately = ['MISSIONS PRIVATE LIMITED', 'Missions Pvt. Ltd.', 'MISSIONS (P) LTD']
const asked: Readonly<Record<string, readonly string[]>> = {
  "ENDS_WITH 'IONS PRIVATE LIMITED'": [...privately, 'SOLUTIONS, PRI VATE LIMITED'],
  "ENDS_WITH 'ions pvt. ltd'": [...privately, 'SOLUTIONS, PRI VATE LIMITED'],
  "ENDS_WITH 'MISSIONS (P) LTD'": privately,
  "ENDS_WITH 'VISION PRI VATE LIM ITED'": ['VISION PRIVATE LIMITED'],
  "ENDS_WITH 'IONS LIMITED'": ['MISSIONS LIMITED'],
  "ENDS_WITH 'IONS LLP'": ['MISSIONS LLP', 'MISSIONS LIMITED LIABILITY PARTNERSHIP'],
  "ENDS_WITH 'ate Limited'": names.filter((name) => name.endsWith('ATE LIMITED')),
  "CONTAINS 'MISSIONS PRIVATE LIM'": privately,
  "CONTAINS 'MISSIONS OPC PRIVATE'": ['MISSIONS (OPC) PRIVATE LIMITED'],
  "CONTAINS 'company limited'": ['UNIONS COMPANY LTD'],
  "STARTS_WITH 'MISSIONS LIMITED'": ['MISSIONS LIMITED', 'MISSIONS LIMITED LIABILITY PARTNERSHIP'],
  "STARTS_WITH 'Missions Priv'": privately,
  "CONTAINS 'SOLUTIONS PR'": ['SOLUTIONS, PRI VATE LIMITED'],
  "CONTAINS 'ISSIONS PVT L'": privately,
  "CONTAINS 'MISSIONS L'": ['MISSIONS LIMITED', 'MISSIONS LLP', 'MISSIONS LIMITED LIABILITY PARTNERSHIP'],
  "CONTAINS 'ROSE PR'": ['ROSE PRODUCTS LIMITED'],
  "CONTAINS 'ROSE AN'": ['ROSE AND THORN LLP'],
  "ENDS_WITH 'MISSIONS PRIV'": [],
  "STARTS_WITH 'DSOUZA AND SONS PVT'": ["THE D'SOUZA & SONS PRIVATE LIMITED"],
  "ENDS_WITH 'e uniões private limited'": ['AÇÕES E UNIÕES PRIVATE LIMITED'],
  "ENDS_WITH 'UNIOES PVT LTD'": ['AÇÕES E UNIÕES PRIVATE LIMITED'],
  "CONTAINS 'ROSE PRIVATE LIMITED'": [],
}

describe.each(['read through', 'narrowed by the words of names'])('names, %s:', (how) => {
  beforeAll(async () => {
    if (how !== 'read through') await collectNameWords(database.as('panji_worker'), 'company')
  })

  test.each(Object.entries(asked))(
    'company %s finds the names of that legal form, however it is written',
    async (query, expected) => {
      expect((await found(`company ${query}`)).toSorted()).toEqual([...expected].toSorted())
    },
  )
})

test('its negation finds all other names', async () => {
  const others = await found("NOT company ENDS_WITH 'IONS PRIVATE LIMITED'")
  expect(others).toHaveLength(names.length - 4)
  expect(others).toContain('MISSIONS LIMITED')
})

test('a text without a legal form, and an equality, leave it open', async () => {
  expect(await found("company ENDS_WITH 'MISSIONS'")).toHaveLength(7)
  expect(await found("company == 'MISSIONS LIMITED'")).toHaveLength(7)
})

test('trade names are compared alike', async () => {
  const query = "TradeName ENDS_WITH 'UNIONS PRIVATE LIMITED'"
  const { results } = await runScreener(database.db, { type: 'gst', query, page: 1, limit: 10 })
  expect(results.map(({ GSTIN }) => GSTIN)).toEqual(['27AAACR5055K1Z7'])
})

test.each(['LTD A ', 'PRIVATE A ', 'न LLP '])('a text of very many words %j is answered', async (words) => {
  for (const op of ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH']) {
    for (const length of [300, 3_000]) {
      const text = words.repeat(length).slice(0, length)
      expect(await found(`company ${op} '${text}'`)).toEqual([])
    }
  }
})
