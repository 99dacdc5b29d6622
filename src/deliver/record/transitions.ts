/**
 * The states of records and deliveries, and what each event makes of them: the single source. `record.sql` takes its
 * states from here, a test compares every other statement with it, and docs/states.md shows it. A state that an event
 * does not list stays.
 */
import { literal, sql } from '../../db/sql.ts'

export const recordStates = ['pending', 'sending', 'acknowledged', 'rejected', 'unknown'] as const
export type RecordState = (typeof recordStates)[number]

/** What a CRM answers for one row. */
export const crmAnswers = ['acknowledged', 'rejected', 'deferred', 'unanswered'] as const
export type CrmAnswer = (typeof crmAnswers)[number]

/** From → to. */
type Moves = Readonly<Partial<Record<RecordState, RecordState>>>

const fromAny = (to: RecordState): Moves => Object.fromEntries(recordStates.map((state) => [state, to]))

/** One row per destination and record: what the CRM is to hold. */
export const recordTransitions = {
  // A lead is requested that the CRM does not hold for certain. A record in flight or with an unknown outcome is
  // compared later.
  enqueued: { pending: 'pending', acknowledged: 'pending', rejected: 'pending' },
  enqueued_in_flight: { sending: 'sending' },
  enqueued_unknown: { unknown: 'unknown' },
  // A newer lead has the content that the CRM acknowledged already. A record that waits is sent all the same: a resend
  // may have been requested.
  enqueued_as_acknowledged: { acknowledged: 'acknowledged', rejected: 'acknowledged' },
  enqueued_objected: { pending: 'rejected', acknowledged: 'rejected', rejected: 'rejected' },
  claimed: { pending: 'sending' },
  // The lead was refunded, erased or objected to before it was sent.
  withdrawn: { pending: 'rejected' },
  acknowledged: { sending: 'acknowledged' },
  // Something newer was requested while it was being sent.
  acknowledged_outdated: { sending: 'pending' },
  // An earlier lead was sent and never answered: the record is checked again once that answer can no longer arrive.
  // Or the record is written, and it is not known yet whether it joined its lists.
  acknowledged_unsettled: { sending: 'pending' },
  rejected: { sending: 'rejected' },
  rejected_outdated: { sending: 'pending' },
  deferred: { sending: 'pending' },
  unanswered: { sending: 'unknown' },
  // The call failed before it reached the CRM.
  not_sent: { sending: 'pending' },
  // The call failed after it may have reached the CRM, or its job ended and named no outcome.
  call_failed: { sending: 'unknown' },
  // Its holder crashed.
  abandoned: { sending: 'unknown' },
  // The record was looked up in the CRM. Found or not, it is sent again, and then only compared.
  looked_up: { unknown: 'pending' },
  retried: { pending: 'pending', rejected: 'pending' },
  // A person retried this one delivery.
  retried_alone: { pending: 'pending', acknowledged: 'pending', rejected: 'pending' },
  // A person requested a resend of a destination, of one order there, or of one record.
  resent: { pending: 'pending', acknowledged: 'pending', rejected: 'pending' },
  // A plan creates again what was deleted in the CRM.
  recreated: { acknowledged: 'pending' },
  fixed: { rejected: 'pending' },
  register_changed: { rejected: 'pending' },
  // An import changed a record of a destination with keep = 'fresh'.
  refreshed: { pending: 'pending', acknowledged: 'pending' },
  // The destination leads into another account, or to records of another kind. What was withdrawn or recalled stays
  // rejected; if the destination delivers approved plans only, it has no record until one is approved there.
  account_changed: fromAny('pending'),
  // The destination delivers approved plans only from now on: of a record that an automatic push enqueued, the CRM keeps
  // what it acknowledged, and one that was never sent has no record until a plan is approved.
  unapproved: { pending: 'acknowledged' },
  recalled: fromAny('rejected'),
} as const satisfies Record<string, Moves>

export type RecordEvent = keyof typeof recordTransitions

const answered = (to: RecordState): Moves => ({ pending: to, rejected: to, unknown: to })
const answeredAny = (to: RecordState): Moves => ({ ...answered(to), acknowledged: to })

/**
 * One row per destination and item of an order: what its buyer sees. It follows its record and is never `sending`.
 * Once acknowledged it stays so, unless it is sent again by name or recalled. A delivery whose lead is newer than
 * what was sent waits for its own answer.
 */
export const deliveryTransitions = {
  enqueued: answeredAny('pending'),
  enqueued_in_flight: answeredAny('pending'),
  enqueued_unknown: answeredAny('unknown'),
  enqueued_as_acknowledged: { pending: 'acknowledged', rejected: 'acknowledged', unknown: 'acknowledged' },
  enqueued_objected: answeredAny('rejected'),
  withdrawn: answered('rejected'),
  acknowledged: answered('acknowledged'),
  acknowledged_outdated: answered('acknowledged'),
  acknowledged_unsettled: answered('acknowledged'),
  rejected: answered('rejected'),
  rejected_outdated: answered('rejected'),
  deferred: answered('pending'),
  unanswered: answered('unknown'),
  abandoned: answered('unknown'),
  retried: { pending: 'pending', rejected: 'pending' },
  retried_alone: answeredAny('pending'),
  resent: { pending: 'pending', rejected: 'pending' },
  fixed: { rejected: 'pending' },
  register_changed: { rejected: 'pending' },
  unapproved: { pending: 'pending', unknown: 'pending' },
  recalled: answeredAny('rejected'),
} as const satisfies Partial<Record<RecordEvent, Moves>>

type Transitions = Readonly<Partial<Record<RecordEvent, Moves>>>

/** The state after `event`; `from` if the event does not change it. */
export const stateAfter = (transitions: Transitions, event: RecordEvent, from: RecordState): RecordState =>
  transitions[event]?.[from] ?? from

/** A SQL CASE with the state that follows `from` for the event in the expression `event`. */
export function stateAfterSql(transitions: Transitions, from: RecordState, event: string): string {
  const moves = Object.entries(transitions).flatMap(([name, { [from]: to }]) =>
    to === undefined ? [] : [sql`WHEN ${literal(name)} THEN ${literal(to)}`],
  )
  return sql`CASE ${event} ${moves.join(' ')} END`
}
