/**
 * The relations of a record as a small graph: it is in the middle, and each neighbour is a link. The list below holds
 * the same relations, including those the graph has no space for.
 */
import { Link } from 'wouter'
import type { RecordType } from '../listed/record-table.tsx'

export interface Neighbour {
  readonly type: RecordType
  readonly id: string
  readonly name: string
  readonly role: string
}

const shownMax = 12
const rowRem = 3.6

export function RelationGraph(props: { readonly name: string; readonly neighbours: readonly Neighbour[] }) {
  const { name } = props
  const neighbours = onceEach(props.neighbours).slice(0, shownMax)
  if (neighbours.length === 0) return null
  const half = Math.ceil(neighbours.length / 2)
  const sides = [neighbours.slice(0, half), neighbours.slice(half)]
  const lines = sides.flatMap((side, index) =>
    side.map((_, row) => ({ x: index * 100, y: (100 * (row + 0.5)) / side.length })),
  )
  return (
    <figure className="graph" aria-label={`What ${name} belongs to`} style={{ height: `${half * rowRem}rem` }}>
      <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none">
        {lines.map(({ x, y }) => (
          <line key={`${x} ${y}`} x1="50" y1="50" x2={x} y2={y} vectorEffect="non-scaling-stroke" />
        ))}
      </svg>
      <Side of={sides[0] ?? []} />
      <div className="graph-side">
        <strong className="node here">{name}</strong>
      </div>
      <Side of={sides[1] ?? []} />
    </figure>
  )
}

function Side({ of: neighbours }: { readonly of: readonly Neighbour[] }) {
  return (
    <ul className="graph-side">
      {neighbours.map(({ type, id, name, role }) => (
        <li key={`${type} ${id}`}>
          <Link
            href={`/record/${type}/${encodeURIComponent(id)}`}
            className={`node ${type}`}
            title={`${name}: ${role}`}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** A person may hold several offices in one company. */
const onceEach = (neighbours: readonly Neighbour[]): readonly Neighbour[] => [
  ...new Map(neighbours.map((each) => [`${each.type} ${each.id}`, each])).values(),
]
