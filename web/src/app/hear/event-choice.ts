/** The events an account can be notified of, as checkboxes. */
import type { FieldShape, Typed } from '../../look/field-shape.ts'

const words = {
  'order.paid': 'the payment of an order arrives',
  'purchase.paid': 'the payment of a purchase arrives',
  'payment.refunded': 'a payment is refunded to you',
  'order.delivered': 'an order is delivered',
  'delivery.rejected': 'a lead is rejected',
  'delivery.needs_decision': 'a lead needs your decision',
  'delivery.paused': 'deliveries into a CRM are paused',
  'delivery.resumed': 'deliveries into a CRM resume',
  'delivery.refreshed': 'imports changed records that you keep fresh',
  'destination.broken': 'a CRM is broken',
  'destination.recovered': 'a CRM works again',
  'credits.low': 'your credits run low',
  'credits.expiring': 'your credits expire within a week',
  'subscription.ending': 'a plan or offer ends and is not renewed',
  'standing_order.run_finished': 'a standing order has bought what it found',
  'standing_order.needs_approval': 'a run of a standing order needs your approval',
  'standing_order.blocked': 'a standing order has stopped buying for now',
  'standing_order.digest': 'a day of your standing orders is over',
} as const
export type EventType = keyof typeof words

export const eventTypes = Object.keys(words) as EventType[]
export const wordsOf = (event: EventType): string => words[event]

export const eventFields = (isTicked: (event: EventType) => boolean): readonly FieldShape[] =>
  eventTypes.map((event) => ({
    ...{ name: event, label: `When ${words[event]}`, kind: 'check', optional: true },
    ...(isTicked(event) && { initial: 'on' }),
  }))

export const eventsIn = (typed: Typed): EventType[] => eventTypes.filter((event) => typed[event] === 'on')
