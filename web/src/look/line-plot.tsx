/** Lines over a sequence, such as runs. The table next to it has the numbers for people who cannot see it. */
import uPlot from 'uplot'
import { dayInWords, readsAsDay } from './days.ts'
import { drawnColour } from './drawn-colour.ts'
import { usePlot } from './use-plot.ts'

export interface Line {
  readonly label: string
  /** One value per step; null leaves a gap. */
  readonly values: readonly (number | null)[]
}

const height = 170
/** Wide enough that the labels of two steps do not overlap. */
const stepPixels = 90
const worded = (step: string): string => (readsAsDay(step) ? dayInWords(step) : step)
/** Also distinguished by dashes, for people who cannot distinguish the colours. */
const strokes = ['--main', '--bad', '--good', '--warn', '--faint'] as const
const dashes: readonly number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4]]

export default function LinePlot(props: {
  /** What the plot shows, in one sentence. */
  readonly summary: string
  readonly steps: readonly string[]
  readonly lines: readonly Line[]
  /** Values are shares, 0 to 1, and shown as percentages. */
  readonly shares?: boolean
}) {
  const { summary, steps, lines, shares = false } = props
  const host = usePlot(JSON.stringify({ steps, lines, shares }), height, drawn)
  return (
    <figure className="counts">
      <div ref={host} className="plot" role="img" aria-label={summary} />
      <ul>
        {lines.slice(0, strokes.length).map(({ label }, index) => (
          <li key={label}>
            <span className={`swatch line-${index}`} aria-hidden="true" /> {label}
          </li>
        ))}
      </ul>
    </figure>
  )
}

interface Drawn {
  readonly steps: readonly string[]
  readonly lines: readonly Line[]
  readonly shares: boolean
}

function drawn(element: HTMLElement, { steps, lines, shares }: Drawn): uPlot {
  const axis = { stroke: drawnColour(element, '--text'), grid: { show: false } }
  const figures = new Intl.NumberFormat('en-IN', shares ? { style: 'percent', maximumFractionDigits: 2 } : {})
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      scales: {
        x: { time: false, range: [-0.5, steps.length - 0.5] },
        y: { range: (_, __, most) => [0, most * 1.1 || 1] },
      },
      series: [
        {},
        ...lines.slice(0, strokes.length).map(({ label }, index) => ({
          label,
          stroke: drawnColour(element, strokes[index] ?? '--main'),
          width: 2,
          dash: dashes[index] ?? [],
          points: { show: true, size: 5 },
        })),
      ],
      axes: [
        { ...axis, space: stepPixels, values: (_, splits) => splits.map((at) => worded(steps[at] ?? '')) },
        { ...axis, size: 70, values: (_, splits) => splits.map((value) => figures.format(value)) },
      ],
      legend: { show: false },
    },
    [steps.map((_, index) => index), ...lines.slice(0, strokes.length).map(({ values }) => [...values])],
    element,
  )
}
