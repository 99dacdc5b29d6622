/** One source: sixty days of runs, its data quality as charts and a table, and its header changes. */
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useParams } from 'wouter'
import type { components, operations } from '../../../../client/api-types.ts'
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { lazyPart } from '../../look/lazy-part.tsx'
import { Day } from '../../look/moment.tsx'
import { count } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { DayTicks } from './day-ticks.tsx'
import { type Drift, DriftList } from './drift.tsx'
import { type RunStatus, readRuns, toneOf } from './run-reads.ts'
import { inWords } from './run-table.tsx'
import { Scopes } from './scopes.tsx'

type RunQuality = components['schemas']['RunQuality']
type SourceName = operations['listIngestQuality']['parameters']['query']['source']

const LinePlot = lazyPart(() => import('../../look/line-plot.tsx'))
const runsMax = 60
/** The columns whose share of empty cells varies most are the most useful; more lines would be hard to distinguish. */
const columnsMax = 4

export default function SourcePage() {
  const { source = '' } = useParams()
  const runs = useQuery({ queryKey: ['runs', 'of', source], queryFn: () => readRuns({ source, limit: 100 }) })
  const quality = useQuery({
    queryKey: ['quality', source],
    queryFn: async () => {
      // An unknown source in the address is refused by the server, with an explanation.
      const query = { source: source as SourceName, limit: runsMax }
      return dataOf(await api.GET('/admin/quality', { params: { query } }))
    },
  })
  return (
    <Page
      title={source}
      lead="What this source sent, and how good it was."
      acts={<Link href={`/runs?source=${encodeURIComponent(source)}`}>All its imports</Link>}
    >
      <Reading of={runs} what="its runs">
        {({ data }) => <DayTicks runs={data} source={source} />}
      </Reading>
      <Reading of={quality} what="its quality">
        {({ data }) => (data.length === 0 ? <NothingYet source={source} /> : <Quality newestFirst={data} />)}
      </Reading>
      {!quality.isLoadingError && <Scopes source={source} />}
    </Page>
  )
}

function NothingYet({ source }: { readonly source: string }) {
  return (
    <div className="empty">
      <p>
        No snapshot has been read completely yet. Start with <code>{`npx panji ingest ${source} FILE`}</code>.
      </p>
    </div>
  )
}

function Quality({ newestFirst }: { readonly newestFirst: readonly RunQuality[] }) {
  const runs = newestFirst.toReversed()
  const steps = runs.map(({ as_of }) => as_of)
  const drifted = newestFirst.flatMap(({ run_id, header_drift }) =>
    header_drift ? [{ run_id, drift: header_drift as unknown as Drift }] : [],
  )
  return (
    <>
      <h2>Quality, import by import</h2>
      {runs.length < 2 ? (
        <p className="hint">Charts appear from the second import on.</p>
      ) : (
        <Suspense fallback={<p role="status">Drawing the plots …</p>}>
          <div className="plots">
            <section>
              <h3>Rejected rows</h3>
              <LinePlot
                summary="Share of rejected rows, import by import"
                steps={steps}
                lines={[{ label: 'Rejected', values: runs.map(refusedShare) }]}
                shares
              />
            </section>
            <section>
              <h3>Repaired values and rows</h3>
              <LinePlot
                summary="Repaired values and rows read, import by import"
                steps={steps}
                lines={[
                  { label: 'Rows read', values: runs.map(({ rows_read }) => rows_read) },
                  { label: 'Values repaired', values: runs.map(repaired) },
                ]}
              />
            </section>
            <section>
              <h3>Empty cells</h3>
              <LinePlot summary="Share of empty cells by column" steps={steps} lines={emptiest(runs)} shares />
            </section>
            {runs.some(({ districts_resolved }) => districts_resolved !== null) && (
              <section>
                <h3>Districts known</h3>
                <LinePlot
                  summary="Share of records whose district is known"
                  steps={steps}
                  lines={[
                    { label: 'District known', values: runs.map(({ districts_resolved }) => districts_resolved) },
                  ]}
                  shares
                />
              </section>
            )}
          </div>
        </Suspense>
      )}
      <QualityTable runs={newestFirst} />
      {drifted.length > 0 && <h2>How its header changed</h2>}
      {drifted.map(({ run_id, drift }) => (
        <section key={run_id}>
          <h3>
            <Link href={`/runs/${run_id}`}>{`Import ${run_id}`}</Link>
          </h3>
          <DriftList of={drift} />
        </section>
      ))}
    </>
  )
}

const share = new Intl.NumberFormat('en-IN', { style: 'percent', maximumFractionDigits: 2 })
const refusedShare = ({ rejected, rows_read }: RunQuality): number => (rows_read === 0 ? 0 : rejected / rows_read)
const repaired = ({ repaired }: RunQuality): number => Object.values(repaired).reduce((sum, each) => sum + each, 0)

function QualityTable({ runs }: { readonly runs: readonly RunQuality[] }) {
  return (
    <DataTable
      caption="Quality, import by import"
      rows={runs}
      keyOf={({ run_id }) => run_id}
      empty={null}
      columns={[
        {
          head: 'Import',
          by: ({ run_id }) => run_id,
          cell: ({ run_id }) => <Link href={`/runs/${run_id}`}>{`Import ${run_id}`}</Link>,
        },
        {
          head: 'State',
          by: ({ status }) => inWords(status),
          cell: ({ status }) => <Badge tone={toneOf(status as RunStatus)}>{inWords(status)}</Badge>,
        },
        { head: 'As of', by: ({ as_of }) => as_of, cell: ({ as_of }) => <Day on={as_of} /> },
        { head: 'Read', by: ({ rows_read }) => rows_read, number: count },
        {
          head: 'Rejected',
          by: refusedShare,
          cell: (run) => `${count(run.rejected)} (${share.format(refusedShare(run))})`,
          number: true,
        },
        { head: 'Repaired', by: repaired, cell: (run) => count(repaired(run)), number: true },
        {
          head: 'Districts known',
          by: ({ districts_resolved }) => districts_resolved,
          cell: ({ districts_resolved }) => (districts_resolved === null ? '–' : share.format(districts_resolved)),
          number: true,
        },
      ]}
    />
  )
}

/** The columns whose share of empty cells varies most from run to run, or is largest where none varies. */
function emptiest(runs: readonly RunQuality[]) {
  const columns = [...new Set(runs.flatMap(({ empty_shares }) => Object.keys(empty_shares)))]
  const valuesOf = (column: string) => runs.map(({ empty_shares }) => empty_shares[column] ?? null)
  const weight = (column: string) => {
    const known = valuesOf(column).filter((value) => value !== null)
    return 10 * (Math.max(...known) - Math.min(...known)) + Math.max(...known)
  }
  return columns
    .filter((column) => valuesOf(column).some((value) => value !== null))
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, columnsMax)
    .map((column) => ({ label: column.replaceAll('_', ' '), values: valuesOf(column) }))
}
