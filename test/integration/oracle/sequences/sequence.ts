/**
 * A sequence of what operators do, drawn by its seed. After each step the product has the records, the history, the partitions and the
 * records of an earlier day that the oracle has.
 */
import { deepStrictEqual } from 'node:assert'
import { parse } from 'csv-parse/sync'
import { type Draw, drawOf } from '../../../support/draw.ts'
import { emptyRegisters, emptyTables } from '../../../support/empty-tables.ts'
import { recordsAsOf, registerState } from '../../../support/register-state.ts'
import { cancelQueued, decide, endSample, lower, prune, repair, suppress, undo } from './corrections.ts'
import { type Asked, ingest, ingestBoth } from './ingest.ts'
import type { RegisterKind } from './kinds/kind.ts'
import { textOf } from './kinds/table.ts'
import { lastActs } from './last-acts.ts'
import { dayOf, drawDay, newWorld, type Product, type World } from './world.ts'

type Act = (world: World) => Promise<void>

function drawAsked({ draw, kind, told }: World, isSample = false): Asked {
  const { text, lanes } = kind.drawFile(draw)
  const asked: Asked = {
    ...{ text, isSample, day: drawDay(draw), force: draw.oneIn(2) },
    mode: draw.oneIn(3) ? 'delta' : 'snapshot',
  }
  told.push(
    `${asked.mode} of ${asked.day}${asked.force ? ', forced' : ''}${isSample ? ', sample' : ''}, lanes ${lanes.join(' ')}`,
  )
  return asked
}

const file: Act = (world) => ingest(world, drawAsked(world))

/** The bytes of an earlier file once more, of its day or another. */
const again: Act = async (world) => {
  const { draw, runs, told } = world
  const before = draw.oneIn(2) ? runs.at(-1) : draw.of(runs)
  if (!before) return
  const day = draw.oneIn(2) ? before.day : drawDay(draw)
  const mode = draw.oneIn(5) ? 'delta' : before.mode
  told.push(`the bytes of ${before.run} again, ${mode} of ${day}`)
  await ingest(world, { text: before.text, day, mode, force: draw.oneIn(4) })
}

const wrong: Act = async (world) => {
  const before = world.draw.of(world.runs)
  if (!before) return
  world.told.push(`the file of ${before.run} with the names of neighbours`)
  await ingest(world, {
    text: withNeighboursNames(before.text, world.kind.nameColumns),
    day: drawDay(world.draw),
    mode: 'snapshot',
    force: false,
  })
}

/** A complete file in which every record has its neighbour's name. */
function withNeighboursNames(text: string, nameColumns: readonly string[]): string {
  const [header = [], ...rows] = parse(text) as string[][]
  const next = (row: number) => rows[(row + 1) % rows.length]
  const isName = (at: number) => nameColumns.includes(header[at] ?? '')
  const shifted = rows.map((cells, row) => cells.map((cell, at) => (isName(at) ? (next(row)?.[at] ?? cell) : cell)))
  return textOf([header, ...shifted])
}

const acts: readonly Act[] = [
  ...[file, file, file, file, file, file, file, again, again, wrong],
  ...[decide, decide, decide, undo, undo, undo, undo, lower, prune, suppress, repair],
  ...([(world) => ingest(world, drawAsked(world, true)), endSample] satisfies Act[]),
  (world) => cancelQueued(world, drawAsked(world)),
  (world) => ingestBoth(world, drawAsked(world), drawAsked(world)),
]

/** @throws with the seed and what was done until then, where the product and the oracle part. */
export async function live(product: Product, kind: RegisterKind, seed: number, steps: number): Promise<void> {
  await emptyRegisters(product.db)
  await emptyTables(product.db, ['ingest.history_retention'])
  const world = newWorld(product, kind, drawOf(seed))
  try {
    await file(world)
    for (let step = 1; step < steps; step++) {
      await ((step === steps - 1 ? lastActs[seed % lastActs.length] : world.draw.of(acts)) ?? file)(world)
      await compare(world)
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `sequence ${seed} of ${kind.name} parts from its oracle: ${why}\n${world.told.slice(-25).join('\n')}`,
      { cause },
    )
  }
}

async function compare({ product: { db }, kind: { source }, columns, register, keptFrom, draw }: World): Promise<void> {
  const state = await registerState(db, source, columns)
  same('partitions', state.parts, register.parts())
  same('records', state.records, register.records())
  same('history', state.history, register.history())
  const day = [keptFrom, pastDay(draw)].toSorted().at(-1) ?? ''
  same(`records as of ${day}`, await recordsAsOf(db, source, columns, day), register.asOf(day))
}
const pastDay = (draw: Draw): string => dayOf(10 + draw.below(9))

/** Shows the first that differs, with what stands around it. */
function same(what: string, product: readonly unknown[], oracle: readonly unknown[]): void {
  const texts = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(sorted(row)))
  const [ours, theirs] = [texts(product), texts(oracle)]
  const at = ours.findIndex((text, place) => text !== theirs[place])
  if (at === -1 && ours.length === theirs.length) return
  const place = at === -1 ? ours.length : at
  deepStrictEqual(
    product[place],
    oracle[place],
    `${what}: ${ours[place] ?? 'nothing'}\nwhere the oracle has ${theirs[place] ?? 'nothing'}`,
  )
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, of]) => [name, sorted(of)]),
  )
}
