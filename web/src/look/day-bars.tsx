/** Recent days as small bars next to each other; each has a label for screen readers. */
import { dayInWords } from './days.ts'

export interface DayCount {
  readonly day: string
  readonly good: number
  readonly bad: number
}

const height = 32
const step = 10
const width = 7

const delivered = ({ day, good, bad }: DayCount) => `${dayInWords(day)}: ${good} delivered, ${bad} rejected`

export function DayBars(props: {
  readonly summary: string
  readonly days: readonly DayCount[]
  /** The label of a bar; deliveries by default. */
  readonly labelOf?: (of: DayCount) => string
}) {
  const { summary, days, labelOf = delivered } = props
  const most = Math.max(1, ...days.map(({ good, bad }) => good + bad))
  const tall = (amount: number) => (amount === 0 ? 0 : Math.max(2, (amount / most) * height))
  return (
    <svg
      className="day-bars"
      role="img"
      aria-label={summary}
      viewBox={`0 0 ${days.length * step} ${height}`}
      preserveAspectRatio="xMinYMax meet"
    >
      {days.map((each, index) => {
        const { day, good, bad } = each
        const [up, on] = [tall(good), tall(bad)]
        return (
          <g key={day}>
            <title>{labelOf(each)}</title>
            <rect className="none" x={index * step} y={height - 1} width={width} height={1} />
            <rect className="good" x={index * step} y={height - up} width={width} height={up} />
            <rect className="bad" x={index * step} y={Math.max(0, height - up - on)} width={width} height={on} />
          </g>
        )
      })}
    </svg>
  )
}
