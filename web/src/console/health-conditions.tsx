/** What needs attention: the same conditions, in the same words, as the notifications. */
import { Link } from 'wouter'
import { Card } from '../look/card.tsx'
import { Command } from '../look/command.tsx'
import { age, Moment } from '../look/moment.tsx'
import { counted } from '../look/numbers.ts'
import { useMay } from './operator.ts'
import type { Overview } from './overview.ts'
import { pendingConditions } from './pending-conditions.ts'

interface Shown {
  readonly overview: Overview
}

export function Conditions({ overview }: Shown) {
  const { conditions } = overview
  const pages = conditions.some(({ severity }) => severity === 'page')
  const others = pendingConditions(overview)
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
      {total === 0 && <p>A worker checks every minute and notifies operators.</p>}
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
  'import.needs_approval': 'Open the import to see why it needs approval, and approve or discard it.',
  'import.failed': 'Open the import to see what went wrong and how to fix it.',
  'schedule.held': 'Open the import that it is waiting for, and approve or discard it.',
  'schedule.late': 'Run it now. If it does not start, check on this page that a worker is online.',
  'import.stale': 'Check when it should have been imported, and run its schedule now.',
  'jobs.dead': 'Each failed job is listed with its reason. Run it again, or discard it.',
  'queue.late': 'Check on this page that a worker is online, and under Jobs what it is running.',
  'destination.broken':
    'Its account shows the reason. Deliveries are retried automatically once the credentials are renewed.',
  'push.failed': 'Read the CRM’s response there, and retry.',
  'delivery.late': 'Pending leads are listed there. Delivery hours, plans or the CRM’s limits may be delaying them.',
  'delivery.incomplete':
    'Each of these deliveries lists the fields and what to change in the CRM; its account can then send them again.',
  'payment.parked': 'The reason is shown there. Answer the dispute, settle the payment, or close it with a reason.',
  'refusals.waiting': 'Read the CRM’s response under Deliveries, then decide under Reports.',
}

/** Read-only roles see no button. */
function Remedy({ type, inTerminal }: { readonly type: string; readonly inTerminal: string }) {
  const may = useMay('operator')
  const onPage = onPages[type]
  if (onPage === undefined) return <WithCode text={inTerminal} />
  return may ? onPage : null
}

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
          'No backup has been written yet.'
        ) : (
          <>
            Written <Moment at={written_at} />.
          </>
        )}{' '}
        {restored_at !== null && (
          <>
            Restore last tested with the backup of <Moment at={restored_at} />.
          </>
        )}
      </p>
      {written_at === null && <Command text="npx panji backup panji.tar.gz --verify-restore" />}
    </Card>
  )
}
