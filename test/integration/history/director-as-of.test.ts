import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { details } from '../../../src/api/operations/details/index.ts'
import { history } from '../../../src/api/operations/history/index.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { dayOf } from '../../support/company-history.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { ingestApproved, readWholeHistory, replay } from '../../support/history.ts'
import { useIngest } from '../../support/ingest.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
const setup = useIngest(database)
let api: BareApi
beforeAll(async () => {
  api = await bareApi({ db: database.db }, routesOf(details), routesOf(history))
})

const cins = ['U74999GA2019PTC000001', 'AAC-3965']
const dins = ['00012345', '00054321']
const columns = {
  'mca-companies': 'cin,company_name,status,authorized_capital,paidup_capital,class',
  contacts: 'entity,identifier,email',
  'mca-directors': 'DIN,FullName,DINStatus,Nationality',
  'mca-directorships': 'CIN,DIN,Designation,DateOfAppointment,DateOfCessation',
} as const
type Source = keyof typeof columns

/** Lines of a file by the identifier of each. */
const lines: Readonly<Record<Source, fc.Arbitrary<Readonly<Record<string, string>>>>> = {
  'mca-companies': some(cins, fc.constantFrom('KONKAN,Active,1,1,Private', 'KAVERI,Active,1,1,Private')),
  contacts: some(cins, fc.constantFrom('a@example.com', 'b@example.com')),
  'mca-directors': some(dins, fc.constantFrom('ASHA KAMAT,Approved,Indian', 'ASHA PINTO,Approved,NA')),
  'mca-directorships': some(
    cins.flatMap((cin) => dins.map((din) => `${cin},${din}`)),
    fc.constantFrom('Director,2020-01-05,', 'Director,2020-01-05,2024-03-31', 'Manager,2021-01-05,'),
  ),
}
function some(keys: readonly string[], rest: fc.Arbitrary<string>) {
  return fc.dictionary(fc.constantFrom(...keys), rest, { minKeys: 1, noNullPrototype: true })
}

interface Snapshot {
  readonly source: Source
  readonly day: number
  readonly lines: Readonly<Record<string, string>>
}
const snapshots: fc.Arbitrary<readonly Snapshot[]> = fc
  .array(
    fc
      .constantFrom(...(Object.keys(columns) as Source[]))
      .chain((source) =>
        fc.record({ source: fc.constant(source), day: fc.integer({ min: 0, max: 6 }), lines: lines[source] }),
      ),
    { minLength: 3, maxLength: 8 },
  )
  .map((list) => list.toSorted((a, b) => a.day - b.day))

const fileOf = ({ source, lines: entries }: Snapshot) =>
  `${[columns[source], ...Object.entries(entries).map(([key, rest]) => `${source === 'contacts' ? 'company,' : ''}${key},${rest}`)].join('\n')}\n`

/** The newest line of a record up to a day: closing a record leaves its last state. */
const lineAsOf = (all: readonly Snapshot[], source: Source, key: string, day: number) =>
  all.findLast((snapshot) => snapshot.source === source && snapshot.day <= day && Object.hasOwn(snapshot.lines, key))
    ?.lines[key]

/** Appointments that stand in the newest snapshot up to a day, as [CIN, DIN, designation, appointed, ceased]. */
const appointmentsAsOf = (all: readonly Snapshot[], day: number) =>
  Object.entries(
    all.findLast(({ source, day: shown }) => source === 'mca-directorships' && shown <= day)?.lines ?? {},
  ).map(([key, rest]) => `${key},${rest}`.split(','))

const read = async (url: string) => {
  const reply = await api.app.inject(url)
  return reply.statusCode === 404 ? undefined : reply.json()
}
const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()

test('directors, companies, e-mail addresses and appointments of any day are those of the newest snapshots up to it', async () => {
  await fc.assert(
    fc.asyncProperty(snapshots, async (all) => {
      await emptyRegisters(database.db)
      for (const snapshot of all) {
        const mode = snapshot.source === 'contacts' ? 'delta' : 'snapshot'
        await ingestApproved(database.db, setup, snapshot.source, fileOf(snapshot), dayOf(snapshot.day), mode)
      }
      for (let day = -1; day <= 7; day++) {
        const nameOf = (source: Source, key: string) => lineAsOf(all, source, key, day)?.split(',')[0] ?? null
        const appointments = appointmentsAsOf(all, day).map(([CIN = '', DIN = '', Designation, appointed, ceased]) => ({
          CIN,
          DIN,
          rest: { Designation, dateOfAppointment: appointed, dateOfCessation: ceased || null },
        }))
        for (const din of dins) {
          const answer = await read(`/api/company/director-details?din=${din}&as_of=${dayOf(day)}`)
          expect([din, day, answer?.data.Name ?? null]).toEqual([din, day, nameOf('mca-directors', din)])
          if (!answer) continue
          const wanted = appointments
            .filter(({ DIN }) => DIN === din)
            .map(({ CIN, rest }) => ({ CIN, companyName: nameOf('mca-companies', CIN), ...rest }))
          expect([din, day, sorted(answer.data.companies)]).toEqual([din, day, sorted(wanted)])
        }
        for (const cin of cins) {
          const answer = await read(`/api/company/details?cin=${cin}&as_of=${dayOf(day)}`)
          expect([cin, day, answer?.data.companyName ?? null]).toEqual([cin, day, nameOf('mca-companies', cin)])
          if (!answer) continue
          expect(answer.data.email).toBe(nameOf('contacts', cin))
          const wanted = appointments
            .filter(({ CIN }) => CIN === cin)
            .map(({ DIN, rest }) => ({ DIN, Name: nameOf('mca-directors', DIN), ...rest }))
          expect([cin, day, sorted(answer.directors)]).toEqual([cin, day, sorted(wanted)])
        }
      }
    }),
    { numRuns: draws(15) },
  )
}, 240_000)

test('the newest day answers as the details without as_of do, and appointments have histories that replay', async () => {
  await fc.assert(
    fc.asyncProperty(snapshots, async (all) => {
      await emptyRegisters(database.db)
      for (const snapshot of all) {
        const mode = snapshot.source === 'contacts' ? 'delta' : 'snapshot'
        await ingestApproved(database.db, setup, snapshot.source, fileOf(snapshot), dayOf(snapshot.day), mode)
      }
      const urls = [...cins.map((cin) => `details?cin=${cin}`), ...dins.map((din) => `director-details?din=${din}`)]
      for (const url of urls) {
        const present = await read(`/api/company/${url}`)
        expect((await read(`/api/company/${url}&as_of=${dayOf(6)}`))?.data).toEqual(present?.data)
        if (!present) continue
        const entries = await readWholeHistory(
          api,
          `/api/company/${url.replace('details', 'history')}&include=directorships`,
        )
        const records = Map.groupBy(entries, ({ entity, identifier }) => `${entity} ${identifier}`)
        for (const [record, own] of records) {
          const [row] = await database.db.query<{ ceased: string | null; closed: string | null }>(
            `SELECT ceased_on AS ceased, closed_on AS closed FROM registry.directorship WHERE 'directorship ' || id = $1`,
            [record],
          )
          const replayed = replay(own)
          if (!row) continue
          expect([replayed['dateOfCessation'] ?? null, replayed['closedOn'] ?? null]).toEqual([row.ceased, row.closed])
        }
      }
    }),
    { numRuns: 6 },
  )
}, 120_000)
