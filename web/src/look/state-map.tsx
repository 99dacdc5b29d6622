/**
 * The states and union territories as tiles, roughly where they are on a map. A sentence says what the map shows, and
 * each tile names its state on hover.
 */
import type { Tone } from './badge.tsx'
import { count } from './numbers.ts'
import { states } from './states.ts'

export function StateMap(props: {
  /** What it shows, in one sentence. */
  readonly label: string
  readonly toneOf: (state: string) => Tone | 'main'
}) {
  const { label, toneOf } = props
  return (
    <div className="state-map" role="img" aria-label={label}>
      {states.map(([name, letters, , column, row]) => (
        <span key={name} className={`tile ${toneOf(name)}`} style={{ gridColumn: column, gridRow: row }}>
          {letters}
        </span>
      ))}
    </div>
  )
}

/** The same tiles filled by amount; a press selects one. The table next to it has all the numbers. */
export function StateCounts(props: {
  readonly label: string
  readonly amounts: ReadonlyMap<string, number>
  readonly chosen: string
  readonly choose: (state: string) => void
}) {
  const { label, amounts, chosen, choose } = props
  const most = Math.max(1, ...amounts.values())
  return (
    <fieldset className="state-map">
      <legend className="unseen">{label}</legend>
      {states.map(([name, letters, , column, row]) => {
        const amount = amounts.get(name) ?? 0
        const label = `${name}: ${count(amount)}`
        const place = { gridColumn: column, gridRow: row }
        return amount === 0 ? (
          <span key={name} className="tile" style={place}>
            {letters}
          </span>
        ) : (
          <button
            key={name}
            type="button"
            className="tile amount"
            aria-pressed={name === chosen}
            onClick={() => choose(name === chosen ? '' : name)}
            style={{ ...place, backgroundSize: `100% ${Math.max(12, Math.round((100 * amount) / most))}%` }}
          >
            {letters} <span className="unseen">{label}</span>
          </button>
        )
      })}
    </fieldset>
  )
}
