/**
 * The states of a record and of a delivery, and what each event makes of them: written once. `record.sql` takes its states from
 * here, every other statement is compared with it, and docs/states.md shows it. A state that an event does not name stays.
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
  // A lead is desired that the CRM does not hold, or not certainly. A record in flight, or whose outcome is unknown, is compared later.
  enqueued: { pending: 'pending', acknowledged: 'pending', rejected: 'pending' },
  enqueued_in_flight: { sending: 'sending' },
  enqueued_unknown: { unknown: 'unknown' },
  // A newer lead says what the CRM acknowledged already.
  enqueued_as_acknowledged: { pending: 'acknowledged', acknowledged: 'acknowledged', rejected: 'acknowledged' },
  enqueued_objected: { pending: 'rejected', acknowledged: 'rejected', rejected: 'rejected' },
  claimed: { pending: 'sending' },
  // The lead was refunded, erased or objected to before it was sent.
  withdrawn: { pending: 'rejected' },
  acknowledged: { sending: 'acknowledged' },
  // Something newer came to be desired while it was sent.
  acknowledged_outdated: { sending: 'pending' },
  // Another lead was sent before and never answered: the CRM is asked again once it can arrive no more. Or the record is written, and what it
  // is to join could not be told for now.
  acknowledged_unsettled: { sending: 'pending' },
  rejected: { sending: 'rejected' },
  rejected_outdated: { sending: 'pending' },
  deferred: { sending: 'pending' },
  unanswered: { sending: 'unknown' },
  // The call failed before it reached the CRM.
  not_sent: { sending: 'pending' },
  // The call failed after it may have reached the CRM, or its job ended and named no outcome.
  call_failed: { sending: 'unknown' },
  // Its holder died.
  abandoned: { sending: 'unknown' },
  // The CRM was asked whether it is there. Found or not, it is sent again, and then only compared.
  looked_up: { unknown: 'pending' },
  retried: { pending: 'pending', rejected: 'pending' },
  // Somebody asked for this one delivery.
  retried_alone: { pending: 'pending', acknowledged: 'pending', rejected: 'pending' },
  // Somebody asked for all that a destination holds, an order's part of it, or one record.
  resent: { pending: 'pending', acknowledged: 'pending', rejected: 'pending' },
  // A plan makes anew what was deleted in the CRM.
  recreated: { acknowledged: 'pending' },
  fixed: { rejected: 'pending' },
  register_changed: { rejected: 'pending' },
  // An import changed a record of a destination that is kept fresh.
  refreshed: { pending: 'pending', acknowledged: 'pending' },
  // The destination leads into another account, or to records of another kind.
  account_changed: fromAny('pending'),
  recalled: fromAny('rejected'),
} as const satisfies Record<string, Moves>

export type RecordEvent = keyof typeof recordTransitions

const answered = (to: RecordState): Moves => ({ pending: to, rejected: to, unknown: to })
const answeredAny = (to: RecordState): Moves => ({ ...answered(to), acknowledged: to })

/**
 * One row per destination and item of an order: what its buyer is told. It follows its record, and is never `sending`; once acknowledged it
 * stays so, unless it is sent again by name or recalled. One whose lead is newer than what was sent waits for its own answer.
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
  recalled: answeredAny('rejected'),
} as const satisfies Partial<Record<RecordEvent, Moves>>

type Transitions = Readonly<Partial<Record<RecordEvent, Moves>>>

/** The state after `event`; `from` where nothing moves. */
export const stateAfter = (transitions: Transitions, event: RecordEvent, from: RecordState): RecordState =>
  transitions[event]?.[from] ?? from

/** As SQL: the state that an event, which `event` names, makes of `from`. */
export function stateAfterSql(transitions: Transitions, from: RecordState, event: string): string {
  const moves = Object.entries(transitions).flatMap(([name, { [from]: to }]) =>
    to === undefined ? [] : [sql`WHEN ${literal(name)} THEN ${literal(to)}`],
  )
  return sql`CASE ${event} ${moves.join(' ')} END`
}
