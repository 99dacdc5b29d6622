/** docs/states.md: the states of runs and orders with the moves between them, from the tables that the statements read. */
import { runMoves } from '../src/ingest/run/transitions.ts'
import { orderMoves, paymentMoves } from '../src/orders/states.ts'

type Moves = Readonly<Record<string, readonly string[]>>

export const renderStates =
  (): string => `<!-- Made by \`npm run docs\` from the tables of moves; changes made here are lost. -->

# States

The database refuses every other move.

## A run

\`src/ingest/run/transitions.ts\`. An attempt that died is followed by another, which begins with the fetch from wherever the run stood.

${diagram('queued', runMoves)}

## An order

\`src/orders/states.ts\`. One that is paid with credits is born completed and paid; order and payment move together.

${diagram('pending', orderMoves)}

## A payment

\`src/orders/states.ts\`.

${diagram('pending', paymentMoves)}
`

function diagram(first: string, moves: Moves): string {
  const lines = Object.entries(moves).flatMap(([from, targets]) =>
    targets.length === 0 ? [`${from} --> [*]`] : targets.map((to) => `${from} --> ${to}`),
  )
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${first}`, ...lines.map((line) => `  ${line}`), '```'].join('\n')
}
