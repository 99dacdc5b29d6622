/** Everything that is not well on one page, each with the way to where it is mended. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge, type Tone } from '../look/badge.tsx'
import { age, Moment } from '../look/moment.tsx'
import { count, counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Reading } from '../look/reading.tsx'
import { api, dataOf } from '../wire/api.ts'
import { readRuns } from './runs/run-reads.ts'

const everyMs = 15_000

export default function Health() {
  return (
    <Page title="Health" lead="What stands, what waits for somebody, and what broke.">
      <div className="cards">
        <Ready />
        <RunsThat status="needs_approval" title="Runs that wait" tone="warn" none="No run waits for a word." />
        <RunsThat status="failed" title="Runs that failed" tone="bad" none="No run failed." />
        <LastRun />
        <Books />
      </div>
    </Page>
  )
}

function Card(props: {
  readonly title: string
  readonly tone: Tone
  readonly word: string
  readonly children: ReactNode
}) {
  const { title, tone, word, children } = props
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <p>
        <Badge tone={tone}>{word}</Badge>
      </p>
      {children}
    </section>
  )
}

function Ready() {
  const ready = useQuery({
    queryKey: ['readyz'],
    queryFn: async () => dataOf(await api.GET('/readyz')),
    refetchInterval: everyMs,
    retry: false,
  })
  return (
    <Card title="API" tone={ready.isError ? 'bad' : 'good'} word={ready.isError ? 'not ready' : 'ready'}>
      <p>{ready.isError ? 'It cannot serve: the database may be away.' : 'It answers, and so does its database.'}</p>
    </Card>
  )
}

function RunsThat(props: {
  readonly status: string
  readonly title: string
  readonly tone: Tone
  readonly none: string
}) {
  const { status, title, tone, none } = props
  const runs = useQuery({
    queryKey: ['runs', 'that', status],
    queryFn: () => readRuns({ status, limit: 5 }),
    refetchInterval: everyMs,
  })
  return (
    <Reading of={runs} what={title.toLowerCase()}>
      {({ data, total }) => (
        <Card title={title} tone={total > 0 ? tone : 'good'} word={total > 0 ? counted(total, 'run') : 'none'}>
          {total === 0 && <p>{none}</p>}
          {data.map(({ run_id, source, created_at }) => (
            <p key={run_id}>
              <Link href={`/runs/${run_id}`}>{`Run ${run_id} of ${source}`}</Link>, {age(created_at)}
            </p>
          ))}
          {total > data.length && <Link href={`/runs?status=${status}`}>All of them</Link>}
        </Card>
      )}
    </Reading>
  )
}

function LastRun() {
  const runs = useQuery({
    queryKey: ['runs', 'that', 'succeeded'],
    queryFn: () => readRuns({ status: 'succeeded', limit: 1 }),
    refetchInterval: everyMs,
  })
  return (
    <Reading of={runs} what="the last run">
      {({ data: [last] }) => (
        <Card title="Registers" tone={last ? 'good' : 'warn'} word={last ? 'filled' : 'empty'}>
          {last ? (
            <p>
              <Link href={`/runs/${last.run_id}`}>{last.source}</Link> was taken in{' '}
              {age(last.finished_at ?? last.created_at)}. <Link href="/sources">All sources</Link>
            </p>
          ) : (
            <p>Nothing was taken in yet.</p>
          )}
        </Card>
      )}
    </Reading>
  )
}

function Books() {
  const books = useQuery({
    queryKey: ['ledger', 'proof'],
    queryFn: async () => dataOf(await api.GET('/admin/ledger', { params: { query: { limit: 1 } } })),
    refetchInterval: everyMs,
  })
  return (
    <Reading of={books} what="the books">
      {({ proof }) => {
        const broken = proof?.violations.length ?? 0
        const word = proof === null ? 'not proved yet' : broken === 0 ? 'proved' : counted(broken, 'violation')
        return (
          <Card title="Ledger" tone={proof === null ? 'plain' : broken === 0 ? 'good' : 'bad'} word={word}>
            {proof && (
              <p>
                {count(proof.transfers)} transfers, <Moment at={proof.proved_at} />
              </p>
            )}
            <Link href="/ledger">The books</Link>
          </Card>
        )
      }}
    </Reading>
  )
}
