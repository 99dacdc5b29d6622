/** Registrations by day as a line. The list of days below has the same numbers for people who cannot see it. */
import uPlot from 'uplot'
import { drawnColour } from '../../look/drawn-colour.ts'
import { count, counted } from '../../look/numbers.ts'
import { usePlot } from '../../look/use-plot.ts'
import { type DayCount, totalsOf } from './days-of.ts'

const height = 180
/** Seconds between two marks. */
const wholeDays = [1, 2, 5, 7, 14, 30, 90, 180, 365].map((days) => days * 86_400)
const dayAndMonth = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', timeZone: 'Etc/UTC' })

export default function DayPlot({ days }: { readonly days: readonly DayCount[] }) {
  const totals = totalsOf(days)
  const host = usePlot(JSON.stringify(totals), height, drawn)
  const best = totals.toSorted(([, a], [, b]) => b - a)[0]
  const summary = `Registrations by day, over ${counted(totals.length, 'day')}; at most ${count(best?.[1] ?? 0)} on one day`
  return <div ref={host} className="plot" role="img" aria-label={summary} />
}

function drawn(element: HTMLElement, points: readonly (readonly [number, number])[]): uPlot {
  const axis = { stroke: drawnColour(element, '--text'), grid: { show: false } }
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      scales: { x: { time: true } },
      // Days without a time zone, so they are drawn at midnight of the plot's zone.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      series: [{}, { label: 'Registrations', stroke: drawnColour(element, '--main'), width: 2 }],
      axes: [
        {
          ...axis,
          incrs: wholeDays,
          values: (_, splits) => splits.map((at) => dayAndMonth.format(new Date(at * 1000))),
        },
        {
          ...axis,
          values: (_, splits) => splits.map(count),
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000, 50_000, 100_000],
        },
      ],
      legend: { show: false },
    },
    [points.map(([at]) => at), points.map(([, total]) => total)],
    element,
  )
}
