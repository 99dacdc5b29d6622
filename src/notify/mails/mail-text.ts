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
const left = (balance: unknown): string => `${many(balance, 'credit')} left`

/** As its buyer knows it; an e-mail queued by an older version only has the ID. */
const orderOf = (data: Data): string =>
  data['order_name'] === undefined
    ? `your order ${line(data['order_id'])}`
    : `your order "${line(data['order_name'])}" of ${line(data['order_day'])} (${many(data['order_records'], 'record')})`
const orderIdOf = (data: Data): readonly string[] =>
  data['order_name'] === undefined ? [] : ['', `Order ID: ${line(data['order_id'])}`]

/** @param publicUrl base URL of the app; without it the e-mail has no link. */
export function mailText(type: EventType, data: Data, publicUrl?: string): MailText {
  const { subject, lines, page } = texts[type](data)
  const link = publicUrl === undefined ? [] : ['', `${publicUrl}/app${page}`]
  return { subject, text: [...lines, ...link, '', ...footer].join('\n') }
}

const footer = [
  'You get this e-mail because notifications are on for your Panji account.',
  'Choose which ones you get on the Webhooks page, or with PUT /api/crm/mails.',
]

interface EventText {
  readonly subject: string
  readonly lines: readonly string[]
  /** The page of the app where it is seen or acted on. */
  readonly page: string
}

const orderPage = (data: Data): string => `/orders/${line(data['order_id'])}`
const standingPage = (data: Data): string => `/standing-orders/${line(data['standing_order_id'])}`
const destinationPage = (data: Data): string => `/destinations/${line(data['destination_id'])}`
/** One queued by an older version names no destination. */
const deliveriesPage = (data: Data, filter: Readonly<Record<string, string>>): string => {
  const destination = data['destination_id'] === undefined ? {} : { destination: line(data['destination_id']) }
  return `/deliveries?${new URLSearchParams({ ...destination, ...filter })}`
}

const texts: Readonly<Record<EventType, (data: Data) => EventText>> = {
  'order.paid': (data) => {
    const isLate = data['came_after'] !== undefined
    const over = ended[String(data['came_after'])]
    const credits = many(data['credits'], 'credit')
    return {
      subject:
        typeof data['paise'] === 'number' ? `Payment of ${shownRupees(data['paise'])} received` : 'Payment received',
      lines: [
        isLate
          ? `We received a payment after ${orderOf(data)} was ${over ?? 'paid'}. It bought ${credits}, which your account can use for other orders. ` +
            `The order has not changed${over === undefined ? '' : '; to get its records, place a new order and pay with credits'}.`
          : `Your payment for ${orderOf(data)} was received. It bought ${credits}, and the leads are being prepared.`,
        ...orderIdOf(data),
      ],
      page: isLate ? '/credits' : orderPage(data),
    }
  },
  'purchase.paid': (data) => ({
    subject: `Payment of ${shownRupees(number(data['amount']))} received`,
    lines: [
      data['is_second'] === true
        ? `This purchase was paid before, and your payment for it was received again. It bought once more: ${line(data['description'])}.`
        : `Your payment was received. It bought ${line(data['description'])}.`,
      `Invoice ${line(data['invoice'])} is on the Invoices page.`,
      ...['', `Purchase ID: ${line(data['purchase_id'])}`],
    ],
    page: `/purchases/${line(data['purchase_id'])}`,
  }),
  'payment.refunded': (data) => {
    const sum = shownRupees(number(data['amount']))
    const isPurchase = data['order_id'] === null
    const what = isPurchase ? 'your purchase' : orderOf(data)
    const isRefund = data['cause'] === 'refund'
    const owed = number(data['owed'])
    return {
      subject: isRefund ? `Refund of ${sum} issued` : `Your bank charged back ${sum}`,
      lines: [
        isRefund
          ? `${sum} of your payment for ${what} is being returned to the payment method that you used.`
          : `Your bank charged back ${sum} that was paid for ${what}. What was not used of it has been withdrawn.`,
        ...(typeof data['credit_note'] === 'string'
          ? [`Credit note ${line(data['credit_note'])} is on the Invoices page.`]
          : []),
        ...(owed > 0
          ? [`Your account owes ${shownRupees(owed)} for what was used of payments that were charged back.`]
          : []),
        ...(isPurchase ? ['', `Purchase ID: ${line(data['purchase_id'])}`] : orderIdOf(data)),
      ],
      page: isPurchase ? `/purchases/${line(data['purchase_id'])}` : orderPage(data),
    }
  },
  'credits.low': (data) => ({
    subject: `Your account has ${left(data['balance'])}`,
    lines: [
      `Your balance fell below ${many(data['below'], 'credit')}: you have ${left(data['balance'])}.`,
      'Orders that cost more are refused. Buy credits to keep ordering.',
    ],
    page: '/credits',
  }),
  'credits.expiring': (data) => ({
    subject: `${many(data['credits'], 'credit')} can be spent until ${line(data['last_day'])}`,
    lines: [
      `${many(data['credits'], 'credit')} of your account can be spent until ${line(data['last_day'])}, and ${data['credits'] === 1 ? 'expires' : 'expire'} after that day.`,
      'Orders use the credits that expire first.',
    ],
    page: '/credits',
  }),
  'subscription.ending': (data) => {
    const isOver = data['is_over'] === true
    const missed =
      data['reason'] === 'missed'
        ? 'It was due to renew, but no renewal ran in time, or your account was suspended. Nothing was charged.'
        : 'It was not set to renew.'
    return {
      subject: isOver
        ? `${line(data['name'])} ended on ${line(data['last_day'])}`
        : `${line(data['name'])} ends on ${line(data['day'])}`,
      lines: isOver
        ? [missed, 'You no longer have access to what it includes. To get it back, buy it on the Plan page.']
        : [
            endsBecause[String(data['reason'])] ?? 'It will not renew.',
            `You keep access to what it includes until ${line(data['last_day'])}.`,
          ],
      page: '/plans',
    }
  },
  'delivery.paused': (data) => ({
    subject: `Deliveries to ${line(data['destination'])} are paused`,
    lines: [
      ...(data['reason'] === undefined ? [] : [`${line(data['reason'])}.`]),
      `Nothing is sent to ${line(data['destination'])} until its deliveries are resumed.`,
      'Leads that you order until then wait, and are sent when you resume.',
    ],
    page: destinationPage(data),
  }),
  'delivery.resumed': (data) => ({
    subject: `Deliveries to ${line(data['destination'])} resumed`,
    lines: ['Leads that were waiting are being sent.'],
    page: destinationPage(data),
  }),
  'order.delivered': (data) => {
    const counts = ['created', 'updated', 'unchanged', 'rejected'].map((word) => `  ${word}: ${number(data[word])}`)
    const rejected = number(data['rejected'])
    return {
      subject: `Order delivered to ${line(data['destination'])}${rejected > 0 ? `, ${many(rejected, 'lead')} rejected` : ''}`,
      lines: [
        `${line(data['destination'])} has responded to every lead of ${orderOf(data)}:`,
        ...counts,
        ...orderIdOf(data),
      ],
      page: deliveriesPage(data, { order: line(data['order_id']) }),
    }
  },
  'delivery.needs_decision': (data) => {
    const records = Array.isArray(data['records']) ? data['records'].map((record) => `  ${line(record)}`) : []
    return {
      subject: `${many(data['count'], 'lead')} for ${line(data['destination'])} ${data['count'] === 1 ? 'needs' : 'need'} your decision`,
      lines: [
        `${line(data['destination'])} has records similar to these leads. They are not sent until you decide whether they are the same:`,
        ...records,
        '',
        'To decide, open the plan of the order: it shows each lead with the similar record and its score.',
      ],
      page: deliveriesPage(data, { outcome: 'pending' }),
    }
  },
  'delivery.rejected': (data) => {
    const codes = Object.entries((data['codes'] ?? {}) as Data).map(
      ([code, rows]) => `  ${line(code)}: ${number(rows)}`,
    )
    const records = Array.isArray(data['records']) ? data['records'].map((record) => `  ${line(record)}`) : []
    return {
      subject: `${line(data['destination'])} rejected ${many(data['count'], 'lead')}`,
      lines: [
        'Rejected leads wait to be fixed. By error code:',
        ...codes,
        '',
        'Some of them:',
        ...records,
        '',
        'See the reasons on the Deliveries page, or with GET /api/crm/deliveries?outcome=rejected, and retry once the cause is fixed.',
        'A lead is sent again automatically when its data changes.',
      ],
      page: deliveriesPage(data, { outcome: 'rejected' }),
    }
  },
  'delivery.refreshed': (data) => {
    const destinations = Array.isArray(data['destinations']) ? (data['destinations'] as Data[]) : []
    const updated = destinations.reduce((sum, each) => sum + number(each['updated']), 0)
    return {
      subject: `${many(updated, 'record')} updated in your CRMs, ${line(data['day'])}`,
      lines: [
        'Imports changed records that you own. The changes were sent to the CRMs that you keep fresh:',
        ...destinations.map(
          (each) =>
            `  ${line(each['name'])}: ${number(each['updated'])} up to date, ${number(each['rejected'])} rejected, ${number(each['waiting'])} waiting`,
        ),
        'Updates cost no credits.',
      ],
      page: '/deliveries',
    }
  },
  'destination.broken': (data) => {
    const reason = (data['reason'] ?? {}) as Data
    return {
      subject: `Deliveries to ${line(data['destination'])} are failing`,
      lines: [
        line(reason['message']),
        'No lead is lost, and deliveries are retried automatically. If the credentials were revoked, renew them for this CRM.',
      ],
      page: destinationPage(data),
    }
  },
  'standing_order.run_finished': (data) => ({
    subject: `${line(data['name'])} bought ${many(data['bought'], 'lead')}`,
    lines: [
      `It found ${many(data['matches'], 'match', 'matches')} and bought ${many(data['bought'], 'lead')} for ${many(data['credits'], 'credit')}.`,
    ],
    page: standingPage(data),
  }),
  'standing_order.needs_approval': (data) => ({
    subject: `${line(data['name'])} needs your approval: ${many(data['matches'], 'match', 'matches')}`,
    lines: [
      data['reason'] === 'first_run'
        ? 'The first run of a standing order always needs your approval.'
        : `It finds ${number(data['usual'])} on a usual day, so review the matches first.`,
      'Approve or skip the run. Nothing is bought until you approve it.',
    ],
    page: standingPage(data),
  }),
  'standing_order.blocked': (data) => ({
    subject: `${line(data['name'])} has stopped buying for now`,
    lines: [blockedBecause[String(data['reason'])] ?? 'It is blocked.', 'It resumes automatically when that changes.'],
    page: standingPage(data),
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
      subject: `Your standing orders: ${what}, ${line(data['day'])}`,
      lines: [
        `Matches: ${number(data['matches'])}. Bought: ${number(data['bought'])}. Delivered: ${number(data['delivered'])}. Rejected: ${number(data['rejected'])}.`,
        `Credits spent: ${number(data['credits'])}. You have ${left(data['balance'])}.`,
        ...of('New leads:', data['leads'], bought),
        ...of('Matches that were not bought:', data['notices'], data['noticed']),
        ...of('Rejected:', data['rejects'], data['rejected']),
      ],
      page: '/standing-orders',
    }
  },
  'destination.recovered': (data) => ({
    subject: `${line(data['destination'])} is accepting leads again`,
    lines: ['Deliveries have resumed: leads that were waiting are being sent.'],
    page: destinationPage(data),
  }),
}

/** States of an order that no longer waits for its payment. */
const ended: Readonly<Record<string, string>> = {
  cancelled: 'cancelled',
  expired: 'expired because it was not paid in time',
  failed: 'over',
}

const endsBecause: Readonly<Record<string, string>> = {
  not_asked: 'It is not set to renew. To keep it, renew it on the Plan page.',
  credits_short:
    'It is set to renew with credits, but your account has too few. Buy credits, and it renews within the hour.',
  not_on_sale: 'It is set to renew, but it is no longer sold.',
}

const blockedBecause: Readonly<Record<string, string>> = {
  credits_short: 'Your account does not have enough credits for it.',
  destination_broken: 'Deliveries to one of its CRMs are failing, or the CRM was removed.',
  query_invalid: 'Its query is no longer valid. Edit the query.',
  limit_reached: 'Your account has reached the daily order limit of its plan.',
  budget_used: 'Its budget is used up.',
}
