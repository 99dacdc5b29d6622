/** Subject and plain text of an e-mail, from its type and data; pure. */
import { counted } from '../../domain/counted.ts'
import { shownRupees } from '../../domain/shown-rupees.ts'
import type { EventType } from '../event-types.ts'
import { oneLine as line } from './mail-line.ts'

export interface MailText {
  readonly subject: string
  readonly text: string
}

type Data = Readonly<Record<string, unknown>>

const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
const many = (value: unknown, noun: string, plural?: string): string => counted(number(value), noun, plural)
const left = (balance: unknown): string => `${many(balance, 'credit')} ${balance === 1 ? 'is' : 'are'} left`

/** As its buyer knows it; an e-mail queued by an older version only has the ID. */
const orderOf = (data: Data): string =>
  data['order_name'] === undefined
    ? `your order ${line(data['order_id'])}`
    : `your order "${line(data['order_name'])}" of ${line(data['order_day'])} (${many(data['order_records'], 'record')})`
const orderIdOf = (data: Data): readonly string[] =>
  data['order_name'] === undefined ? [] : ['', `Order id: ${line(data['order_id'])}`]

export function mailText(type: EventType, data: Data): MailText {
  const { subject, lines } = texts[type](data)
  return { subject, text: [...lines, '', ...footer].join('\n') }
}

const footer = [
  'You receive this e-mail because of activity in your Panji account.',
  'Choose your e-mail notifications on the page "Webhooks", or with PUT /api/crm/mails.',
]

const texts: Readonly<
  Record<EventType, (data: Data) => { readonly subject: string; readonly lines: readonly string[] }>
> = {
  'order.paid': (data) => ({
    subject:
      typeof data['paise'] === 'number'
        ? `Your payment of ${shownRupees(data['paise'])} arrived`
        : 'Your payment arrived',
    lines: [
      data['came_after'] === undefined
        ? `With it ${orderOf(data)} is paid. It bought ${many(data['credits'], 'credit')}, and the leads are being built.`
        : `It came after ${orderOf(data)} was ${ended[String(data['came_after'])] ?? 'paid'}: it bought ${many(data['credits'], 'credit')}, which your account has. ` +
          'The order stays as it is; to have the records, order them with credits.',
      ...orderIdOf(data),
    ],
  }),
  'payment.refunded': (data) => {
    const sum = shownRupees(number(data['amount']))
    const what = data['order_id'] === null ? 'your purchase' : orderOf(data)
    const isRefund = data['cause'] === 'refund'
    const owed = number(data['owed'])
    return {
      subject: isRefund ? `${sum} of your payment was refunded` : `Your bank took ${sum} of a payment back`,
      lines: [
        isRefund
          ? `${sum} that you paid for ${what} goes back the way it was paid.`
          : `Your bank charged back ${sum} that was paid for ${what}. What was not used of it is withdrawn.`,
        ...(typeof data['credit_note'] === 'string'
          ? [`The credit note is ${line(data['credit_note'])}, on the page "Invoices".`]
          : []),
        ...(owed > 0
          ? [`Your account owes ${shownRupees(owed)} for what was used of payments that were charged back.`]
          : []),
        ...(data['order_id'] === null ? ['', `Purchase id: ${line(data['purchase_id'])}`] : orderIdOf(data)),
      ],
    }
  },
  'credits.low': (data) => ({
    subject: left(data['balance']),
    lines: [
      `Your credits fell below ${number(data['below'])}: ${left(data['balance'])}.`,
      'An order for more leads than that is refused until you buy some.',
    ],
  }),
  'subscription.ending': (data) =>
    data['is_over'] === true
      ? {
          subject: `${line(data['name'])} ended on ${line(data['last_day'])}`,
          lines: [
            data['reason'] === 'missed'
              ? 'It was to be renewed. No renewal ran in time, or your account was suspended; nothing was charged.'
              : 'Renewal was not requested.',
            'What it opened is closed. To have it again, buy it on the page Plan.',
          ],
        }
      : {
          subject: `${line(data['name'])} ends on ${line(data['day'])}`,
          lines: [
            endsBecause[String(data['reason'])] ?? 'It is not renewed.',
            `What it opens stays open until ${line(data['last_day'])}.`,
          ],
        },
  'delivery.paused': (data) => ({
    subject: `Deliveries into ${line(data['destination'])} are paused`,
    lines: [
      ...(data['reason'] === undefined ? [] : [`${line(data['reason'])}.`]),
      `Nothing is sent into ${line(data['destination'])} until the destination is resumed.`,
      'What you order in the meantime waits.',
    ],
  }),
  'delivery.resumed': (data) => ({
    subject: `Deliveries into ${line(data['destination'])} resumed`,
    lines: [`${line(data['destination'])} was resumed; waiting leads are being sent.`],
  }),
  'order.delivered': (data) => {
    const counts = ['created', 'updated', 'unchanged', 'rejected'].map((word) => `  ${word}: ${number(data[word])}`)
    const refused = number(data['rejected'])
    return {
      subject: `Order delivered into ${line(data['destination'])}${refused > 0 ? `, ${many(refused, 'row')} refused` : ''}`,
      lines: [
        `Every lead of ${orderOf(data)} has its answer from ${line(data['destination'])}:`,
        ...counts,
        ...orderIdOf(data),
      ],
    }
  },
  'delivery.needs_decision': (data) => {
    const records = Array.isArray(data['records']) ? data['records'].map((record) => `  ${line(record)}`) : []
    return {
      subject: `${many(data['count'], 'lead')} for ${line(data['destination'])} ${data['count'] === 1 ? 'waits' : 'wait'} for your decision`,
      lines: [
        `${line(data['destination'])} has records that look like these leads, and none is written until you say whether they are the same:`,
        ...records,
        '',
        'Plan the order into the destination: it shows each lead with the record that looks like it and the score.',
      ],
    }
  },
  'delivery.rejected': (data) => {
    const codes = Object.entries((data['codes'] ?? {}) as Data).map(
      ([code, rows]) => `  ${line(code)}: ${number(rows)}`,
    )
    const records = Array.isArray(data['records']) ? data['records'].map((record) => `  ${line(record)}`) : []
    return {
      subject: `${line(data['destination'])} refused ${many(data['count'], 'row')}`,
      lines: [
        `The CRM refused rows, and they wait to be fixed; by code:`,
        ...codes,
        '',
        'Some of them:',
        ...records,
        '',
        'A row is sent again automatically once its data changes; GET /api/crm/deliveries?outcome=rejected has the reasons.',
      ],
    }
  },
  'delivery.refreshed': (data) => {
    const destinations = Array.isArray(data['destinations']) ? (data['destinations'] as Data[]) : []
    const updated = destinations.reduce((sum, each) => sum + number(each['updated']), 0)
    return {
      subject: `${many(updated, 'record')} in your CRMs ${updated === 1 ? 'was' : 'were'} brought up to date by ${line(data['day'])}`,
      lines: [
        'Imports changed records that you own; your destinations that are kept fresh were sent what changed:',
        ...destinations.map(
          (each) =>
            `  ${line(each['name'])}: ${number(each['updated'])} up to date, ${number(each['rejected'])} rejected, ${number(each['waiting'])} waiting`,
        ),
        'This costs no credits.',
      ],
    }
  },
  'destination.broken': (data) => {
    const reason = (data['reason'] ?? {}) as Data
    return {
      subject: `${line(data['destination'])} takes no leads`,
      lines: [
        `Deliveries into ${line(data['destination'])} fail: ${line(reason['message'])}`,
        'Nothing is lost. It is tried again automatically; where credentials were revoked, renew them on the same destination.',
      ],
    }
  },
  'standing_order.run_finished': (data) => ({
    subject: `${line(data['name'])} bought ${many(data['bought'], 'lead')}`,
    lines: [
      `Matches: ${number(data['matches'])}. Bought: ${number(data['bought'])}, for ${many(data['credits'], 'credit')}.`,
    ],
  }),
  'standing_order.needs_approval': (data) => ({
    subject: `${line(data['name'])} found ${many(data['matches'], 'record')} and waits for your approval`,
    lines: [
      data['reason'] === 'first_run'
        ? 'This is its first run, which always waits for your approval.'
        : `A usual day brings ${number(data['usual'])}. Review what was found before it is bought.`,
      'Approve or skip the run under Standing orders. Nothing is bought until then.',
    ],
  }),
  'standing_order.blocked': (data) => ({
    subject: `${line(data['name'])} buys nothing for now`,
    lines: [blockedBecause[String(data['reason'])] ?? 'It is blocked.', 'It resumes automatically once that is over.'],
  }),
  'standing_order.digest': (data) => {
    const of = (title: string, rows: unknown, all: unknown) => {
      if (!Array.isArray(rows) || rows.length === 0) return []
      const more = number(all) - rows.length
      return ['', title, ...rows.map((row) => `  ${line(row)}`), ...(more > 0 ? [`  and ${more} more`] : [])]
    }
    const bought = number(data['bought'])
    const what = bought > 0 ? many(bought, 'new lead') : many(data['matches'], 'match', 'matches')
    return {
      subject: `Your standing orders: ${what} by ${line(data['day'])}`,
      lines: [
        `Matches: ${number(data['matches'])}. Bought: ${number(data['bought'])}. Delivered: ${number(data['delivered'])}. Rejected: ${number(data['rejected'])}.`,
        `Credits spent: ${number(data['credits'])}; ${left(data['balance'])}.`,
        ...of('New:', data['leads'], bought),
        ...of('Matches, not bought:', data['notices'], data['noticed']),
        ...of('Rejected:', data['rejects'], data['rejected']),
      ],
    }
  },
  'destination.recovered': (data) => ({
    subject: `${line(data['destination'])} takes leads again`,
    lines: [`Deliveries into ${line(data['destination'])} have resumed; waiting leads are being sent.`],
  }),
}

/** States of an order that no longer waits for its payment. */
const ended: Readonly<Record<string, string>> = {
  cancelled: 'cancelled',
  expired: 'expired, because it was not paid in time',
  failed: 'over',
}

const endsBecause: Readonly<Record<string, string>> = {
  not_asked: 'Renewal was not requested. To keep it, renew it on the page Plan.',
  credits_short:
    'It was to be renewed with credits, and your account has too few. Buy credits, and it is renewed within the hour.',
  not_on_sale: 'It was to be renewed, and is sold no more.',
}

const blockedBecause: Readonly<Record<string, string>> = {
  credits_short: 'Your account has no credits left for it.',
  destination_broken: 'A destination that it delivers into takes no leads, or was removed.',
  query_invalid: 'Its query can no longer be read. Change it.',
  limit_reached: 'Your account has ordered as much as its plan allows today.',
  budget_used: 'Its budget is used.',
}
