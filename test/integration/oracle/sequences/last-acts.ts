/** What much hangs together in, and is seldom drawn among the others: one of these ends a sequence. */
import { parse } from 'csv-parse/sync'
import { letThrough, lowerAll, undoRun } from './corrections.ts'
import { ingest } from './ingest.ts'
import { textOf } from './kinds/table.ts'
import { drawDay, type FileRun, lastDay, type World } from './world.ts'

/** @returns the snapshot that was applied with the most columns, the newest of several. */
const fullest = ({ runs }: World): FileRun | undefined => {
  const columnsOf = ({ text }: FileRun) => text.slice(0, text.indexOf('\n')).split(',').length
  return runs
    .filter(({ state, mode }) => state === 'applied' && mode === 'snapshot')
    .toReversed()
    .toSorted((one, other) => columnsOf(other) - columnsOf(one))[0]
}

/** A whole file comes in, whatever speaks against it. */
async function takeIn(world: World, text: string, day: string): Promise<void> {
  await ingest(world, { text, day, mode: 'snapshot', force: true })
  const [one] = world.runs.slice(-1)
  if (one?.state === 'waiting') await letThrough(world, one, 'supersede')
}

/** The bytes of a snapshot, and under two days more: it is not taken back beneath them, and they are in the order in which they came. */
async function undoDays(world: World): Promise<void> {
  const { draw, runs, told } = world
  const before = fullest(world) ?? runs.at(-1)
  if (!before) return
  // Often days that no part was seen after.
  const days = draw.oneIn(3) ? [drawDay(draw), drawDay(draw)].toSorted() : [lastDay, lastDay]
  told.push(`the bytes of ${before.run} under ${days.join(' and ')}`)
  for (const day of [lastDay, ...days]) await takeIn(world, before.text, day)
  for (const one of [before, ...runs.slice(-3)]) await undoRun(world, one, false)
}

/** A snapshot once more, and then without some or all of the columns that it may lack: what it does not carry stays. */
async function fewerColumns(world: World): Promise<void> {
  const { draw, kind, told } = world
  const before = fullest(world)
  if (!before) return
  const [header = [], ...rows] = parse(before.text) as string[][]
  const isBare = draw.oneIn(2)
  const left = header.map((column) => kind.mayLack(column, header) && (isBare || draw.oneIn(2)))
  told.push(`the file of ${before.run}, and without ${header.filter((_, at) => left[at]).join(', ')}`)
  await takeIn(world, before.text, lastDay)
  await takeIn(world, textOf([header, ...rows].map((cells) => cells.filter((_, at) => !left[at]))), lastDay)
}

export const lastActs: readonly ((world: World) => Promise<void>)[] = [lowerAll, undoDays, fewerColumns]
