/** What needs attention: the same conditions, in the same words, as the notifications. */
import { Link } from 'wouter'
import { Card } from '../look/card.tsx'
import { Command } from '../look/command.tsx'
import { age, Moment } from '../look/moment.tsx'
import { counted } from '../look/numbers.ts'
import { notNoted } from './not-noted.ts'
import { useMay } from './operator.ts'
import type { Overview } from './overview.ts'

interface Shown {
  readonly overview: Overview
}

export function Conditions({ overview }: Shown) {
  const { conditions } = overview
  const pages = conditions.some(({ severity }) => severity === 'page')
  const others = notNoted(overview)
  const total = conditions.length + others.length
  return (
    <Card
      title="Needs attention"
      tone={total === 0 ? 'good' : pages ? 'bad' : 'warn'}
      word={total === 0 ? 'All systems normal' : counted(total, 'condition')}
      acts={<Link href="/notifications">Who is notified</Link>}
    >
      {conditions.map(({ type, summary, remedy, since }) => (
        <div key={`${type} ${summary}`}>
          <p>
            <strong>{summary}</strong> <Moment at={since} />
          </p>
          <p className="faint">
            <Where type={type} /> <Remedy type={type} inTerminal={remedy} />
          </p>
        </div>
      ))}
      {others.map((says) => (
        <p key={says}>
          <strong>{says}</strong>
        </p>
      ))}
      {total === 0 && <p>A worker looks every minute, and notifies operators of what it finds.</p>}
    </Card>
  )
}

const places: Readonly<Record<string, readonly [path: string, page: string]>> = {
  import: ['/runs', 'Imports'],
  schedule: ['/schedules', 'Schedules'],
  data: ['/sources', 'Sources'],
  ledger: ['/ledger', 'Ledger'],
  audit: ['/audit', 'Audit log'],
  jobs: ['/jobs', 'Jobs'],
  queue: ['/jobs', 'Jobs'],
  destination: ['/accounts', 'Accounts'],
  push: ['/deliveries', 'Deliveries'],
  refusals: ['/reports', 'Reports'],
  delivery: ['/deliveries', 'Deliveries'],
  payment: ['/payments', 'Payments'],
  backup: ['/backup', 'Backup'],
}

/** The fix for each condition as a link into these pages; notifications name a terminal command instead. */
const onPages: Readonly<Record<string, string>> = {
  'import.needs_approval': 'Open the import, see why it waits, and approve or discard it.',
  'import.failed': 'Open the import: it says what went wrong and what to do.',
  'schedule.held': 'Open the import that it waits for, and approve or discard it.',
  'schedule.late': 'Run it now there. Where it does not start, see on this page whether a worker is online.',
  'import.stale': 'See when it should have been imported, and run its schedule now.',
  'jobs.dead': 'Each failed job has its reason there; run it again, or discard it.',
  'queue.late': 'See on this page whether a worker is online, and there what it is at.',
  'destination.broken': 'Its account has the reason; once its credentials are renewed it is tried again automatically.',
  'push.failed': 'See there what the CRM said, and try again.',
  'delivery.late': 'Those that are pending wait there; hours, plans and limits of their CRM may hold them.',
  'delivery.incomplete':
    'Each of these deliveries names the fields and what to do in the CRM; its account sends them again afterwards.',
  'payment.parked': 'See why there. Answer the dispute, settle it, or close it with a reason.',
  'refusals.waiting': 'See in the deliveries what the CRM said, then decide them under Reports.',
}

/** Read-only roles see no button. */
function Remedy({ type, inTerminal }: { readonly type: string; readonly inTerminal: string }) {
  const may = useMay('operator')
  const onPage = onPages[type]
  if (onPage === undefined) return <WithCode text={inTerminal} />
  return may ? onPage : null
}

/** The page for a condition. */
function Where({ type }: { readonly type: string }) {
  const [path, page] = places[type.split('.')[0] ?? ''] ?? []
  return path === undefined ? null : <Link href={path}>See {page}.</Link>
}

/** Commands are between backticks. */
const WithCode = ({ text }: { readonly text: string }) =>
  text.split('`').map((piece, at) => (at % 2 === 1 ? <code key={piece}>{piece}</code> : piece))

export function Backups({ overview: { backup, conditions } }: Shown) {
  const late = conditions.some(({ type }) => type.startsWith('backup.'))
  const { written_at, restored_at } = backup
  const word = written_at === null ? 'none yet' : age(written_at)
  return (
    <Card
      title="Backup"
      tone={late ? 'warn' : written_at === null ? 'plain' : 'good'}
      word={word}
      acts={<Link href="/backup">All backups</Link>}
    >
      <p>
        {written_at === null ? (
          'None was written yet.'
        ) : (
          <>
            Written <Moment at={written_at} />.
          </>
        )}{' '}
        {restored_at !== null && (
          <>
            The last one whose restore was tried: <Moment at={restored_at} />.
          </>
        )}
      </p>
      {written_at === null && <Command text="npx panji backup panji.tar.gz --verify-restore" />}
    </Card>
  )
}
