/** The health of the installation on one page: what works, what needs attention and what is broken, each with a fix. */
import { Link } from 'wouter'
import { Card } from '../look/card.tsx'
import { Command } from '../look/command.tsx'
import { Moment } from '../look/moment.tsx'
import { count, counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Reading } from '../look/reading.tsx'
import { api, PanjiApiError } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'
import { GetStarted } from './get-started.tsx'
import { Backups, Conditions } from './health-conditions.tsx'
import { Deliveries } from './health-deliveries.tsx'
import { Destinations } from './health-destinations.tsx'
import { Disk } from './health-disk.tsx'
import { Freshness } from './health-freshness.tsx'
import { FailedRuns, Registers, WaitingRuns } from './health-runs.tsx'
import { type Overview, useOverview } from './overview.ts'
import { SandboxCrms } from './sandbox-crms.tsx'

const everyMs = 10_000
/** A job overdue by more than this shows that there are too few workers, or none. */
const lateSeconds = 120

export default function Health() {
  const overview = useOverview()
  return (
    <Page
      title="Health"
      lead={
        overview.data ? (
          <>
            What works, what needs attention and what is broken, as of <Moment at={overview.data.read_at} />.
          </>
        ) : (
          'What works, what needs attention and what is broken.'
        )
      }
    >
      <Reading of={overview} what="the state of the installation">
        {(read) => (
          <div className="cards">
            <Conditions overview={read} />
            <WaitingRuns overview={read} />
            <FailedRuns overview={read} />
            <Freshness overview={read} />
            <GetStarted overview={read} />
            <Registers overview={read} />
            <Worker overview={read} />
            <Queues overview={read} />
            <DeadLetters overview={read} />
            <Deliveries overview={read} />
            <Destinations overview={read} />
            <LedgerCard overview={read} />
            <Payments />
            <Backups overview={read} />
            <Disk />
            <SecretKey overview={read} />
            <Ready />
            {read.sandbox_crms && <SandboxCrms />}
          </div>
        )}
      </Reading>
    </Page>
  )
}

interface Shown {
  readonly overview: Overview
}

function Ready() {
  const ready = useRead(['readyz'], () => api.GET('/readyz'), { refetchInterval: everyMs, retry: false })
  return (
    <Card title="API" tone={ready.isError ? 'bad' : 'good'} word={ready.isError ? 'not ready' : 'ready'}>
      <p>{ready.isError ? whyNotReady(ready.error) : 'It answers, and so does its database.'}</p>
      {ready.isError && <Command text="npx panji doctor" />}
    </Card>
  )
}

const whyNotReady = (failure: unknown): string =>
  failure instanceof PanjiApiError
    ? 'It cannot serve: the database may be unavailable.'
    : 'Panji does not answer. It may be restarting; this page continues automatically.'

function Worker({ overview: { worker } }: Shown) {
  return (
    <Card title="Worker" tone={worker.running ? 'good' : 'bad'} word={worker.running ? 'at work' : 'missing'}>
      {worker.running ? (
        <p>A worker is online.</p>
      ) : (
        <>
          <p>No worker is online: imports, deliveries and schedules stop until one is started.</p>
          <Command text="npx panji start" />
        </>
      )}
    </Card>
  )
}

function Queues({ overview: { queues, queue_warnings } }: Shown) {
  const late = queues.filter(({ oldest_seconds }) => (oldest_seconds ?? 0) > lateSeconds)
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  const active = queues.reduce((sum, queue) => sum + queue.active, 0)
  const troubled = late.length + queue_warnings.length > 0
  return (
    <Card
      title="Queues"
      tone={troubled ? 'warn' : 'good'}
      word={waiting + active === 0 ? 'empty' : `${count(active)} at work, ${count(waiting)} waiting`}
      acts={troubled && <Link href="/jobs">See what is at work</Link>}
    >
      {late.map(({ queue, oldest_seconds }) => (
        <p key={queue}>
          <Link href={`/jobs?queue=${queue}`}>{queue}</Link> is late: its oldest job is due for{' '}
          {counted(Math.round((oldest_seconds ?? 0) / 60), 'minute')}.
        </p>
      ))}
      {queue_warnings.map(({ type, count: times, newest }) => (
        <p key={type}>
          {type}, {counted(times, 'time')} in the last hour: {newest}
        </p>
      ))}
      {!troubled && <p>No job waits longer than it should.</p>}
    </Card>
  )
}

function DeadLetters({ overview: { dead_letters } }: Shown) {
  return (
    <Card
      title="Dead letters"
      tone={dead_letters > 0 ? 'bad' : 'good'}
      word={dead_letters > 0 ? counted(dead_letters, 'job') : 'none'}
      acts={<Link href="/jobs">{dead_letters > 0 ? 'Resolve them' : 'All jobs'}</Link>}
    >
      <p>{dead_letters > 0 ? 'They failed for good and wait for a decision.' : 'No job failed for good.'}</p>
    </Card>
  )
}

function LedgerCard({ overview: { ledger } }: Shown) {
  const broken = ledger?.violations ?? 0
  const word = ledger === null ? 'not verified yet' : broken === 0 ? 'verified' : counted(broken, 'violation')
  return (
    <Card
      title="Ledger"
      tone={ledger === null ? 'plain' : broken === 0 ? 'good' : 'bad'}
      word={word}
      acts={<Link href="/ledger">{broken > 0 ? 'See what does not add up' : 'Ledger'}</Link>}
    >
      {ledger ? (
        <p>
          {counted(ledger.transfers, 'transfer')}, <Moment at={ledger.proved_at} />
        </p>
      ) : (
        <p>The ledger is verified every night.</p>
      )}
    </Card>
  )
}

function Payments() {
  const open = useRead(
    ['payments', 'open'],
    () => api.GET('/admin/payments', { params: { query: { open: 'true', page: 1, limit: 1 } } }),
    { refetchInterval: 6 * everyMs },
  )
  return (
    <Reading of={open} what="the payments">
      {({ total }) => (
        <Card
          title="Payments"
          tone={total > 0 ? 'warn' : 'good'}
          word={total > 0 ? counted(total, 'notice') : 'nothing open'}
          acts={
            <Link href={total > 0 ? '/payments?open=true' : '/payments'}>
              {total > 0 ? 'Review them' : 'All payments'}
            </Link>
          }
        >
          <p>
            {total > 0 ? 'A payment matches no order, or has the wrong amount.' : 'Every payment matches an order.'}
          </p>
        </Card>
      )}
    </Reading>
  )
}

function SecretKey({ overview: { keys } }: Shown) {
  return (
    <Card
      title="Secret key"
      tone={keys.secret_key_ok ? 'good' : 'bad'}
      word={keys.secret_key_ok ? 'matches' : 'does not match'}
    >
      {keys.secret_key_ok ? (
        <p>It decrypts the stored secrets.</p>
      ) : (
        <>
          <p>
            The stored secrets cannot be decrypted with this <code>PANJI_SECRET_KEY</code>: sign-ins and deliveries fail
            until the right key is set.
          </p>
          <Command text="npx panji doctor" />
        </>
      )}
    </Card>
  )
}
