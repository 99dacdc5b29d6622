/** The changes of an import by record, searchable by identifier and kind. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { BusyButton } from '../../look/busy-button.tsx'
import { Choice } from '../../look/choice.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Download, fileOf } from '../../look/download.tsx'
import { Failure } from '../../look/failure.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { api, dataOf } from '../../wire/api.ts'
import type { Run } from './run-reads.ts'

const limit = 50
const kinds = ['insert', 'update', 'close', 'reopen', 'withdraw'] as const
const words = {
  ...{ insert: 'new', update: 'changed', close: 'closed', reopen: 'open again', withdraw: 'undone' },
} as const
/** Registers whose records have a page. */
const shown: readonly string[] = ['company', 'director', 'gst']

export function RunChanges({ run: { run_id: id } }: { readonly run: Run }) {
  const [identifier, setIdentifier] = useState('')
  const [kind, setKind] = useState('')
  const only = kinds.find((each) => each === kind)
  const path = { id: String(id) }
  const chosen = { ...(identifier && { identifier }), ...(only && { kind: only }) }
  const changes = useInfiniteQuery({
    queryKey: ['runs', 'changes', id, identifier, kind],
    initialPageParam: 0,
    queryFn: async ({ pageParam: after }) => {
      const params = { path, query: { after: String(after), limit, ...chosen } }
      return dataOf(await api.GET('/admin/ingest/runs/{id}/changes', { params }))
    },
    getNextPageParam: ({ data, more }) => (more ? data.at(-1)?.change_id : undefined),
  })
  const rows = changes.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section>
      <h2>What it changed</h2>
      <SearchBox label="CIN, LLPIN, DIN or GSTIN" value={identifier} set={setIdentifier} />
      <div className="filters">
        <Choice
          label="Kind"
          value={kind}
          options={['', ...kinds.map((value) => ({ value, label: words[value] }))]}
          set={setKind}
        />
        {rows.length > 0 && (
          <Download
            label="Download CSV"
            name={`changes-of-import-${id}.csv`}
            fetch={async (progress) => {
              const params = { path, query: chosen }
              return fileOf(
                await api.GET('/admin/ingest/runs/{id}/changes/export', { params, parseAs: 'stream' }),
                progress,
              )
            }}
          />
        )}
      </div>
      {changes.isError && <Failure of={changes.error} />}
      {changes.data && (
        <DataTable
          caption="Changes"
          rows={rows}
          isPart={changes.hasNextPage}
          keyOf={({ change_id }) => change_id}
          empty={<p>No record matches these filters.</p>}
          columns={[
            {
              head: 'Record',
              by: ({ identifier: of }) => of,
              cell: ({ entity, identifier: of }) =>
                shown.includes(entity) ? (
                  <Link href={`/records/${entity}/${encodeURIComponent(of)}`}>
                    <code>{of}</code>
                  </Link>
                ) : (
                  <code>{of}</code>
                ),
            },
            { head: 'Register', by: ({ entity }) => entity },
            { head: 'What', by: ({ kind: what }) => words[what] },
            {
              head: 'Fields',
              cell: ({ kind: what, fields }) =>
                what === 'insert' ? 'all' : fields.map((field) => field.replaceAll('_', ' ')).join(', '),
            },
          ]}
        />
      )}
      {changes.hasNextPage && (
        <BusyButton isBusy={changes.isFetchingNextPage} press={() => changes.fetchNextPage()}>
          Show more
        </BusyButton>
      )}
    </section>
  )
}
