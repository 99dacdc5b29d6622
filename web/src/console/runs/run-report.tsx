/** The findings of a run's checks: what was rejected, repaired and unknown, and header changes. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Facts, plain } from '../../look/facts.tsx'
import { count } from '../../look/numbers.ts'
import { type Drift, DriftList } from './drift.tsx'
import { isMembers, type Members } from './run-failure.tsx'
import type { Run } from './run-reads.ts'
import { worded } from './worded.ts'

type Counts = Readonly<Record<string, number>>

const membersOf = (value: unknown): Members => (isMembers(value) ? value : {})
const countsOf = (value: unknown): Counts => membersOf(value) as Counts

export function RunReport({ run }: { readonly run: Run }) {
  const { report, run_id } = run
  const { rejects, repaired, unknown_words, header_drift, date_orders, stale_scopes } = report
  return (
    <section>
      <CountList
        title="Rejected, by reason"
        counts={countsOf(rejects)}
        name={(code) => <Link href={`/runs/${run_id}/rejects?code=${code}`}>{worded(code)}</Link>}
      />
      <CountList title="Repaired" counts={countsOf(repaired)} name={worded} />
      <UnknownWords of={membersOf(unknown_words)} />
      {isMembers(header_drift) && (
        <>
          <h2>How the header changed</h2>
          <DriftList of={header_drift as unknown as Drift} />
        </>
      )}
      {Object.keys(membersOf(date_orders)).length > 0 && (
        <>
          <h2>How its dates were read</h2>
          <Facts
            of={Object.entries(membersOf(date_orders)).map(([field, order]) => [worded(field), orderInWords(order)])}
          />
        </>
      )}
      {Array.isArray(stale_scopes) && stale_scopes.length > 0 && (
        <p>Partitions that a newer snapshot covered already: {stale_scopes.map(String).join(', ')}.</p>
      )}
    </section>
  )
}

function CountList(props: {
  readonly title: string
  readonly counts: Counts
  readonly name: (key: string) => ReactNode
}) {
  const { title, counts, name } = props
  const rows = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  if (rows.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul className="tallies">
        {rows.map(([key, amount]) => (
          <li key={key}>
            {name(key)} <strong>{count(amount)}</strong>
          </li>
        ))}
      </ul>
    </>
  )
}

function UnknownWords({ of: columns }: { readonly of: Members }) {
  const found = Object.entries(columns).filter(([, words]) => Object.keys(countsOf(words)).length > 0)
  if (found.length === 0) return null
  return (
    <>
      <h2>Words missing from the vocabularies</h2>
      {found.map(([column, words]) => (
        <p key={column}>
          {worded(column)}:{' '}
          {Object.entries(countsOf(words))
            .map(([word, rows]) => `${word} (${count(rows)})`)
            .join(', ')}
        </p>
      ))}
    </>
  )
}

const orderInWords = (value: unknown): string =>
  isMembers(value)
    ? Object.entries(value)
        .map(([key, each]) => `${worded(key)}: ${plain(each)}`)
        .join(' · ')
    : plain(value)
