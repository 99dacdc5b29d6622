/** All runs, newest first, filtered by source and status. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAddressState, useGrowing, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { ForOperators } from '../for-operators.tsx'
import { useOverview } from '../overview.ts'
import { type RunSort, readRuns, statuses } from './run-reads.ts'
import { inWords, RunTable } from './run-table.tsx'

const limit = 25

export default function Runs() {
  const [status, setStatus] = useAddressState('status')
  const [source, setSource] = useAddressState('source')
  const [page] = usePage()
  const sort = useGrowing<RunSort>()
  const sources = useOverview().data?.sources.map(({ source: name }) => name) ?? (source === '' ? [] : [source])
  const runs = useQuery({
    queryKey: ['runs', status, source, page, sort],
    queryFn: () => readRuns({ status, page, limit, ...sort, ...(source === '' ? {} : { source }) }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  return (
    <Page
      title="Imports"
      lead="Every file that was imported, and what became of it."
      acts={<Link href="/import">Import a file</Link>}
    >
      <div className="filters">
        <Choice
          label="State"
          value={status}
          set={setStatus}
          options={['', ...statuses.map((value) => ({ value, label: inWords(value) }))]}
        />
        <Choice label="Source" value={source} set={setSource} options={['', ...sources]} />
      </div>
      <Reading of={runs} what="the imports">
        {({ data, total }) => (
          <>
            <RunTable
              runs={data}
              empty={
                <>
                  No import matches. <ForOperators>Press “Import a file” for the first one.</ForOperators>
                </>
              }
            />
            <Pager total={total} limit={limit} one="import" newest={data[0]?.created_at} />
          </>
        )}
      </Reading>
    </Page>
  )
}
