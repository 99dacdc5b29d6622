/** What the history says of a change is what the register held before and after it, whatever the texts are made of. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { draws, figure } from '../../support/figures.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const header =
  'CIN,CompanyName,CompanyROCcode,CompanyClass,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,CompanyStatus'
const cin = 'U74999GA2019PTC000001'
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** Texts that JSON, SQL or CSV could stumble over. */
const text = fc
  .array(fc.constantFrom('"', '\\', '\\u0041', "'", '{', '}', ',', '\t', '\n', '\u0001', 'é', '😀', 'A', ' B '), {
    maxLength: 8,
  })
  .map((parts) => `X${parts.join('')}Y`)
const version = fc.record({
  name: text,
  address: text,
  capital: fc.constantFrom('', '100000', '2,50,000.50', '1E5'),
  status: fc.constantFrom('Active', 'Strike Off', ''),
})

const bookkeeping = new Set(['fingerprint', 'first_run_id', 'last_run_id', 'as_of', 'name_key'])

async function record(): Promise<Record<string, unknown>> {
  const [row] = await database.db.query<{ record: Record<string, unknown> }>(
    'SELECT to_jsonb(c) AS record FROM registry.company c WHERE cin = $1',
    [cin],
  )
  return row?.record ?? {}
}

const changedOf = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(one).filter(
      ([field, value]) => !bookkeeping.has(field) && JSON.stringify(value) !== JSON.stringify(other[field]),
    ),
  )

test('the fields before and after are those that differ between the record then and now', async () => {
  let files = 0
  const take = async ({ name, address, capital, status }: typeof version extends fc.Arbitrary<infer V> ? V : never) => {
    files += 1
    const line = [cin, quoted(name), 'ROC Goa', 'Private', quoted(capital), '2019-05-01', quoted(address), status].join(
      ',',
    )
    return ingest('mca-companies', file(`version-${files}.csv`, `${header}\n${line}\n`), {
      mode: 'delta',
      asOf: new Date(Date.UTC(2024, 0, files)).toISOString().slice(0, 10),
    })
  }
  let updates = 0
  await fc.assert(
    fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 4 }), async (versions) => {
      for (const each of versions) {
        const before = await record()
        const run = await take(each)
        const after = await record()
        const noted = await database.db.query<{ kind: string; before: object | null; after: object | null }>(
          'SELECT kind, before, after FROM ingest.change WHERE run_id = $1',
          [run.run_id],
        )
        if (run.updated === 1) {
          updates += 1
          expect(noted).toEqual([{ kind: 'update', before: changedOf(before, after), after: changedOf(after, before) }])
        } else {
          expect(changedOf(before, after)).toEqual({})
          expect(noted).toHaveLength(run.inserted)
        }
      }
    }),
    { numRuns: draws(12) },
  )
  expect(updates).toBeGreaterThan(figure(3, 10))
})
