/** A record in one line: status, registration day, size and place. */
import { Badge, type Tone } from '../../look/badge.tsx'
import { Day } from '../../look/moment.tsx'
import { shownValue } from '../search/filters/words.ts'

type Members = Readonly<Record<string, unknown>>

const textOf = (members: Members, ...names: readonly string[]): string | undefined =>
  names.map((name) => members[name]).find((value): value is string => typeof value === 'string' && value !== '')

const toneOf = (status: string): Tone =>
  status === 'Active' ? 'good' : /under|suspend|dormant/i.test(status) ? 'warn' : 'bad'

export function StatusLine({ members }: { readonly members: Members }) {
  const status = textOf(members, 'llpStatus', 'Status', 'status')
  const since = textOf(members, 'dateOfIncorporation', 'dateOfRegistration')
  const capital = members['paidUpCapital']
  const place = [textOf(members, 'City', 'city'), textOf(members, 'State', 'state')].filter(Boolean).join(', ')
  const kind = textOf(members, 'classOfCompany', 'ConstitutionBusiness', 'companyType')
  return (
    <p className="status-line">
      {status && <Badge tone={toneOf(status)}>{status}</Badge>}
      {kind && <span>{kind}</span>}
      {since && (
        <span>
          registered <Day on={since} />
        </span>
      )}
      {typeof capital === 'number' && <span>{shownValue('paidUpCapital', String(capital))} paid up</span>}
      {place && <span>{place}</span>}
    </p>
  )
}
