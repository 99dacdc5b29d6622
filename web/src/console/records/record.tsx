/** One record of a register: each value with the import, file, line and day it came from, and its history. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import type { operations } from '../../../../client/api-types.ts'
import { usePage, useSort } from '../../look/address-state.ts'
import { DataTable } from '../../look/data-table.tsx'
import { plain } from '../../look/facts.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { Day } from '../../look/moment.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'

type Path = operations['getRecord']['parameters']['path']
const limit = 20

const kinds = {
  ...{ insert: 'first seen', update: 'changed', close: 'closed', reopen: 'open again', withdraw: 'undone' },
} as const

export default function RecordPage() {
  const { entity = 'company', identifier = '' } = useParams()
  const path = { entity: entity as Path['entity'], identifier: decodeURIComponent(identifier) }
  const record = useQuery({
    queryKey: ['records', path],
    queryFn: async () => dataOf(await api.GET('/admin/records/{entity}/{identifier}', { params: { path } })).data,
  })
  return (
    <Page
      title={nameIn(record.data?.fields) ?? path.identifier}
      lead={`${path.identifier}, of the ${entity} register.`}
    >
      <Reading of={record} what="the record">
        {({ fields }) => (
          <>
            <DataTable
              caption="What it holds"
              rows={fields}
              keyOf={({ field }) => field}
              empty={<p>It has no values.</p>}
              columns={[
                { head: 'Field', by: ({ field }) => field },
                { head: 'Value', cell: ({ field, value }) => shown(field, value) },
                {
                  head: 'From',
                  by: ({ origin }) => origin?.run_id,
                  cell: ({ origin }) =>
                    origin && (
                      <span className="cut">
                        <Link href={`/runs/${origin.run_id}`}>{`Import ${origin.run_id}`}</Link>
                        {origin.line !== null && `, line ${origin.line}`}
                      </span>
                    ),
                },
                {
                  head: 'As of',
                  by: ({ origin }) => origin?.as_of,
                  cell: ({ origin }) => origin && <Day on={origin.as_of} />,
                },
              ]}
            />
            <History of={path} />
          </>
        )}
      </Reading>
    </Page>
  )
}

function History({ of: path }: { readonly of: Path }) {
  const [page] = usePage()
  const sort = useSort<SortOf<'getRecordHistory'>>()
  const params = { path, query: { page, limit, ...sort } }
  const history = useReadPage(['records', path, 'history', page, sort], () =>
    api.GET('/admin/records/{entity}/{identifier}/history', { params }),
  )
  return (
    <section>
      <h2>History</h2>
      <ListTable
        of={history}
        what="the history"
        pages={{ limit, one: 'change' }}
        caption="History"
        keyOf={({ run_id, entity, identifier }) => `${run_id} ${entity} ${identifier}`}
        empty={<p>No earlier values are known.</p>}
        columns={[
          { head: 'As of', sortedAs: 'as_of', cell: ({ as_of }) => <Day on={as_of} /> },
          {
            head: 'What',
            cell: ({ entity, identifier, kind }) =>
              entity === path.entity ? kinds[kind] : `${entity} ${identifier} ${kinds[kind]}`,
          },
          {
            head: 'Values',
            cell: ({ kind, changes }) =>
              kind === 'insert' ? (
                counted(changes.length, 'field')
              ) : (
                <ul>
                  {changes.map(({ field, before, after }) => (
                    <li key={field}>
                      {field}: <del>{shown(field, before)}</del> → <ins>{shown(field, after)}</ins>
                    </li>
                  ))}
                </ul>
              ),
          },
          {
            head: 'By',
            cell: ({ run_id, undone_by }) => (
              <>
                <Link href={`/runs/${run_id}`}>{`Import ${run_id}`}</Link>
                {undone_by !== null && `, undone by ${undone_by}`}
              </>
            ),
          },
        ]}
      />
    </section>
  )
}

/** Names first, then identifiers. */
function nameIn(fields: readonly { readonly field: string; readonly value: unknown }[] = []): string | undefined {
  const found = names.flatMap((name) => fields.filter(({ field }) => field === name))[0]?.value
  return typeof found === 'string' ? found : undefined
}
const names = ['companyName', 'TradeName', 'LegalName', 'Name']

/** A number that is a code is not an amount. */
const shown = (field: string, value: unknown): string =>
  typeof value === 'number' && !/capital/i.test(field) ? String(value) : plain(value)
