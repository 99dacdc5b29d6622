/** What a row costs in the Zoho sandbox however many records it holds. */
import { expect, test } from 'vitest'
import { createFields } from '../../../sandboxes/zoho/fields.ts'
import { query } from '../../../sandboxes/zoho/query.ts'
import { insert, update } from '../../../sandboxes/zoho/records.ts'
import { Org } from '../../../sandboxes/zoho/state.ts'

const rowsOf = (from: number) =>
  Array.from({ length: 100 }, (_, n) => ({ Last_Name: 'Naik', Company: 'Mandovi', Panji_Id: `gst:${from + n}` }))

/** Milliseconds of this process, whatever else the machine does. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test('a hundred rows cost the same in an org of a hundred thousand records as in an empty one', () => {
  const org = new Org('60001234567')
  const unique = { field_label: 'Panji Id', data_type: 'text', length: 80, unique: { case_sensitive: false } }
  expect(createFields(org, { fields: [unique] }, 300).status).toBe(201)
  let written = 0
  const fill = () => {
    expect(insert(org, { data: rowsOf(written) }).status).toBe(201)
    written += 100
  }
  const batch = () => {
    fill()
    const list = rowsOf(written - 100).map(({ Panji_Id: id }) => `'${id}'`)
    const asked = query(org, `select id, Company from Leads where Panji_Id in (${list.slice(0, 50).join(',')})`)
    const { data } = asked.body as { data: { id: string }[] }
    expect(update(org, { data: data.map(({ id }) => ({ id, Company: 'Zuari' })) }).status).toBe(200)
  }
  // The first ones warm the engine up.
  for (let n = 0; n < 50; n += 1) batch()
  const early = cpuMs(() => {
    for (let n = 0; n < 50; n += 1) batch()
  })
  while (written < 100_000) fill()
  const late = cpuMs(() => {
    for (let n = 0; n < 50; n += 1) batch()
  })
  // Quadratic growth would make it twenty times as much; collecting garbage makes it a little more.
  expect(late).toBeLessThan(4 * Math.max(early, 20))
})
