/**
 * docs/states.md: the states of runs, orders and deliveries with their transitions, from the tables that the statements
 * read.
 */
import { deliveryTransitions, recordTransitions } from '../src/deliver/record/transitions.ts'
import { runMoves } from '../src/ingest/run/transitions.ts'
import { orderMoves, paymentMoves } from '../src/orders/states.ts'

type Moves = Readonly<Record<string, readonly string[]>>

export const renderStates =
  (): string => `<!-- Made by \`npm run docs\` from the tables of moves; changes made here are lost. -->

# States

The database refuses every other move of a run, an order or a payment. Of a record and a delivery every statement is held to its table by
a test.

## A run

\`src/ingest/run/transitions.ts\`. An attempt that died is followed by another, which begins with the fetch from wherever the run stood.

${diagram('queued', runMoves)}

## An order

\`src/orders/states.ts\`. One that is paid with credits is born completed and paid; order and payment move together.

${diagram('pending', orderMoves)}

## A payment

\`src/orders/states.ts\`.

${diagram('pending', paymentMoves)}

## A delivery record

\`src/deliver/record/transitions.ts\`. What a destination's CRM is to hold of one company, director or registration, whichever orders asked for
it. An event that is not shown for a state leaves it as it is.

${eventDiagram(['pending', 'acknowledged', 'rejected'], recordTransitions)}

## A delivery

\`src/deliver/record/transitions.ts\`. One item of an order in one destination: what its buyer is told. It begins in the state of its record and
follows it, and stays acknowledged while the record is sent again.

${eventDiagram(['pending', 'acknowledged', 'rejected', 'unknown'], deliveryTransitions)}
`

function diagram(first: string, moves: Moves): string {
  const lines = Object.entries(moves).flatMap(([from, targets]) =>
    targets.length === 0 ? [`${from} --> [*]`] : targets.map((to) => `${from} --> ${to}`),
  )
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${first}`, ...lines.map((line) => `  ${line}`), '```'].join('\n')
}

/**
 * Transitions caused by an event: one line for each pair of states, with its events. Events that do not change the
 * state are left out.
 */
function eventDiagram(
  first: readonly string[],
  events: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  const lines = new Map<string, string[]>()
  for (const [event, moves] of Object.entries(events))
    for (const [from, to] of Object.entries(moves)) {
      if (from !== to) lines.set(`${from} --> ${to}`, [...(lines.get(`${from} --> ${to}`) ?? []), event])
    }
  const shown = [...lines].map(([move, by]) => `${move}: ${by.join(', ')}`)
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...first.map((state) => `  [*] --> ${state}`),
    ...shown.map((line) => `  ${line}`),
    '```',
  ].join('\n')
}
