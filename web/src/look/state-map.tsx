/**
 * The states and union territories as tiles, each about where it lies. It marks some of them; what it shows is said in a
 * sentence, too, and each tile names its state on hover.
 */
import type { Tone } from './badge.tsx'
import { count } from './numbers.ts'

/** Column and row, from 1. */
const tiles: readonly (readonly [name: string, letters: string, column: number, row: number])[] = [
  ['Jammu and Kashmir', 'JK', 3, 1],
  ['Ladakh', 'LA', 4, 1],
  ['Punjab', 'PB', 2, 2],
  ['Chandigarh', 'CH', 3, 2],
  ['Himachal Pradesh', 'HP', 4, 2],
  ['Haryana', 'HR', 2, 3],
  ['Delhi', 'DL', 3, 3],
  ['Uttarakhand', 'UK', 4, 3],
  ['Sikkim', 'SK', 7, 3],
  ['Arunachal Pradesh', 'AR', 9, 3],
  ['Rajasthan', 'RJ', 2, 4],
  ['Uttar Pradesh', 'UP', 4, 4],
  ['Bihar', 'BR', 5, 4],
  ['West Bengal', 'WB', 6, 4],
  ['Assam', 'AS', 8, 4],
  ['Nagaland', 'NL', 9, 4],
  ['Gujarat', 'GJ', 1, 5],
  ['Madhya Pradesh', 'MP', 3, 5],
  ['Chhattisgarh', 'CG', 4, 5],
  ['Jharkhand', 'JH', 5, 5],
  ['Meghalaya', 'ML', 8, 5],
  ['Manipur', 'MN', 9, 5],
  ['Dadra and Nagar Haveli and Daman and Diu', 'DN', 1, 6],
  ['Maharashtra', 'MH', 2, 6],
  ['Telangana', 'TG', 3, 6],
  ['Odisha', 'OD', 5, 6],
  ['Tripura', 'TR', 8, 6],
  ['Mizoram', 'MZ', 9, 6],
  ['Goa', 'GA', 1, 7],
  ['Karnataka', 'KA', 2, 7],
  ['Andhra Pradesh', 'AP', 3, 7],
  ['Lakshadweep', 'LD', 1, 8],
  ['Kerala', 'KL', 2, 8],
  ['Tamil Nadu', 'TN', 3, 8],
  ['Puducherry', 'PY', 4, 8],
  ['Andaman and Nicobar Islands', 'AN', 6, 8],
]

export const stateNames: readonly string[] = tiles.map(([name]) => name).toSorted()

export function StateMap(props: {
  /** What it shows, in one sentence. */
  readonly label: string
  readonly toneOf: (state: string) => Tone | 'main'
}) {
  const { label, toneOf } = props
  return (
    <div className="state-map" role="img" aria-label={label}>
      {tiles.map(([name, letters, column, row]) => (
        <span key={name} className={`tile ${toneOf(name)}`} style={{ gridColumn: column, gridRow: row }}>
          {letters}
        </span>
      ))}
    </div>
  )
}

/** The same tiles filled by how much is there; a press chooses one of them. The table beside it holds all the numbers. */
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
      {tiles.map(([name, letters, column, row]) => {
        const amount = amounts.get(name) ?? 0
        const told = `${name}: ${count(amount)}`
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
            {letters} <span className="unseen">{told}</span>
          </button>
        )
      })}
    </fieldset>
  )
}
