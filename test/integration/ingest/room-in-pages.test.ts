import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

beforeEach(() => emptyRegisters(database.db))

const records = 3_000
const company = (index: number) => `U74999GA2019PTC${String(index).padStart(6, '0')}`

/** A file with one line per record, of which one in a hundred is changed. */
const registers = {
  'mca-companies': {
    table: 'registry.company',
    key: 'cin',
    header:
      'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,nic_code',
    line: (index: number, changed: boolean) =>
      `${company(index)},COMPANY ${index} PRIVATE LIMITED,ROC Goa,Company limited by shares,2019-05-01,X,Unlisted,${changed ? 'Strike Off' : 'Active'},74999`,
  },
  'mca-directorships': {
    table: 'registry.directorship',
    key: 'id',
    header: 'CIN,DIN,Designation,DateOfAppointment,DateOfCessation',
    line: (index: number, changed: boolean) =>
      `${company(index)},${10_000_000 + index},Director,2019-05-01,${changed ? '2025-01-15' : ''}`,
  },
} as const

test.each(Object.keys(registers) as (keyof typeof registers)[])(
  'what a refresh changes of %s stays on its page, so that no index is written for it',
  async (source) => {
    const { table, key, header, line } = registers[source]
    const snapshot = (isChanged: (index: number) => boolean) =>
      file(
        `${source}.csv`,
        `${[header, ...Array.from({ length: records }, (_, index) => line(index, isChanged(index)))].join('\n')}\n`,
      )
    const pages = async () =>
      new Map(
        (
          await database.db.query<{ id: string; page: number }>(
            sql`SELECT ${key} AS id, (ctid::text::point)[0]::integer AS page FROM ${table}`,
          )
        ).map(({ id, page }) => [id, page]),
      )
    const first = await ingest(
      source,
      snapshot(() => false),
      { asOf: '2025-01-01' },
    )
    expect(first).toMatchObject({ status: 'succeeded', inserted: records })
    const before = await pages()

    const next = await ingest(
      source,
      snapshot((index) => index % 100 === 50),
      { asOf: '2025-02-01' },
    )
    expect(next).toMatchObject({ status: 'succeeded', updated: records / 100 })
    const moved = [...(await pages())].filter(([id, page]) => before.get(id) !== page)
    // The rows of some pages leave a little less than usual.
    expect(moved.length).toBeLessThanOrEqual(records / 1_000)
  },
)
