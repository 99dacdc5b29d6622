/** Registrations by day as a line. The table of states beside it tells the counts to who cannot see it. */
import uPlot from 'uplot'
import { counted } from '../../look/numbers.ts'
import { usePlot } from '../../look/use-plot.ts'

interface DayCount {
  readonly day: string
  readonly total: number
}

const height = 180

export default function DayPlot({ days }: { readonly days: readonly DayCount[] }) {
  const totals = totalsOf(days)
  const host = usePlot(JSON.stringify(totals), height, drawn)
  const best = totals.toSorted(([, a], [, b]) => b - a)[0]
  const summary = `Registrations by day, over ${counted(totals.length, 'day')}; at most ${best?.[1] ?? 0} on one day`
  return <div ref={host} className="plot" role="img" aria-label={summary} />
}

function drawn(element: HTMLElement, points: readonly (readonly [number, number])[]): uPlot {
  const style = getComputedStyle(element)
  const axis = { stroke: style.color, grid: { show: false } }
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      scales: { x: { time: true } },
      // The days are days, so they stand at midnight of the zone that they are drawn in.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      series: [{}, { label: 'Registrations', stroke: style.getPropertyValue('--main'), width: 2 }],
      axes: [axis, axis],
      legend: { show: false },
    },
    [points.map(([at]) => at), points.map(([, total]) => total)],
    element,
  )
}

/** Counts of a day over all states, by the second that it begins at, oldest first. */
function totalsOf(days: readonly DayCount[]): [number, number][] {
  const sums = new Map<number, number>()
  for (const { day, total } of days) {
    const at = Date.parse(`${day}T00:00:00Z`) / 1000
    sums.set(at, (sums.get(at) ?? 0) + total)
  }
  return [...sums].sort(([a], [b]) => a - b)
}
