/** What an e-mail says. Its type and data go in, subject and plain text come out; pure. */
import type { EventType } from '../event-types.ts'
import { oneLine as line } from './mail-line.ts'

export interface MailText {
  readonly subject: string
  readonly text: string
}

type Data = Readonly<Record<string, unknown>>

const number = (value: unknown): number => (typeof value === 'number' ? value : 0)

export function mailText(type: EventType, data: Data): MailText {
  const { subject, lines } = told[type](data)
  return { subject, text: [...lines, '', ...footer].join('\n') }
}

const footer = [
  'You get this because leads of your Panji account go into a CRM.',
  'PUT /api/crm/mails chooses what you are told by e-mail.',
]

const told: Readonly<
  Record<EventType, (data: Data) => { readonly subject: string; readonly lines: readonly string[] }>
> = {
  'order.delivered': (data) => {
    const counts = ['created', 'updated', 'unchanged', 'rejected'].map((word) => `  ${word}: ${number(data[word])}`)
    const refused = number(data['rejected'])
    return {
      subject: `Order delivered into ${line(data['destination'])}${refused > 0 ? `, ${refused} rows refused` : ''}`,
      lines: [
        `Every lead of the order ${line(data['order_id'])} has its answer from ${line(data['destination'])}:`,
        ...counts,
      ],
    }
  },
  'delivery.rejected': (data) => {
    const codes = Object.entries((data['codes'] ?? {}) as Data).map(
      ([code, rows]) => `  ${line(code)}: ${number(rows)}`,
    )
    const records = Array.isArray(data['records']) ? data['records'].map((record) => `  ${line(record)}`) : []
    return {
      subject: `${line(data['destination'])} refused ${number(data['count'])} rows`,
      lines: [
        `The CRM refused rows, and they wait to be mended; by code:`,
        ...codes,
        '',
        'Some of them:',
        ...records,
        '',
        'A row goes again by itself once its data changes; GET /api/crm/deliveries?outcome=rejected has the reasons.',
      ],
    }
  },
  'destination.broken': (data) => {
    const reason = (data['reason'] ?? {}) as Data
    return {
      subject: `${line(data['destination'])} takes no leads`,
      lines: [
        `Deliveries into ${line(data['destination'])} fail: ${line(reason['message'])}`,
        'Nothing is lost. It is tried again by itself; where credentials were revoked, renew them on the same destination.',
      ],
    }
  },
  'destination.recovered': (data) => ({
    subject: `${line(data['destination'])} takes leads again`,
    lines: [`Deliveries into ${line(data['destination'])} go on; what waited is being sent.`],
  }),
}
