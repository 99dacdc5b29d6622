/** What operators put right: each by its operation of the product and as the operators' page says it, and refused where that page refuses it. */
import { parse } from 'csv-parse/sync'
import { addSuppressions } from '../../../../src/access/suppressions.ts'
import { AppError } from '../../../../src/errors.ts'
import { pruneHistory } from '../../../../src/ingest/after/prune-history.ts'
import { removeSample } from '../../../../src/ingest/after/remove-sample.ts'
import { approveRun, discardRun } from '../../../../src/ingest/conduct/approval.ts'
import { cancelRun } from '../../../../src/ingest/conduct/cancel.ts'
import { lowerScopes } from '../../../../src/ingest/conduct/lower-scopes.ts'
import { rejectCsvParts } from '../../../../src/ingest/conduct/read-rejects.ts'
import { requestUndo } from '../../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../../src/ingest/conduct/run-snapshot.ts'
import { type Asked, applied, ask, ingest, readEnded } from './ingest.ts'
import { textOf } from './kinds/table.ts'
import { dayOf, drawDay, type FileRun, hold, rowsIn, type World } from './world.ts'

/** @returns the code of the refusal, or undefined. */
const refusalOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AppError) return error.code
      throw error
    },
  )

export async function undo(world: World): Promise<void> {
  const { draw, runs } = world
  const target = draw.of(draw.oneIn(2) ? runs.slice(-3) : runs)
  if (target) await undoRun(world, target, draw.oneIn(3))
}

export async function undoRun(world: World, target: FileRun, through: boolean): Promise<void> {
  const { product, register, runs, told } = world
  const undone = register.taken(target.run, through)
  const isKept = runs.every(({ run, day }) => !undone.includes(run) || day >= world.keptFrom || run > world.prunedAfter)
  const isAlone = through || register.overlaying(target.run).length === 0
  const allowed = target.state === 'applied' && undone.includes(target.run) && isKept && isAlone
  told.push(`undo ${target.run}${through ? ' through' : ''}, which ${allowed ? 'is' : 'is not'} allowed`)
  const asked = { runId: target.run, through, reason: 'the wrong file', requestedBy: 'operator' }
  let undoing = 0
  const refusal = await refusalOf(
    requestUndo(product.db, product.queue, asked).then(({ run_id }) => (undoing = run_id)),
  )
  hold(
    (refusal === undefined) === allowed,
    `the undo of ${target.run} was ${refusal === undefined ? 'accepted' : `refused as ${refusal}`}`,
  )
  if (!allowed) return
  const { status } = await runSnapshot(product.dependencies(), undoing)
  hold(status === 'succeeded', `the undo ${undoing} is ${status}`)
  register.takeBack({ run: undoing }, undone)
  world.applied += 1
}

export async function lower(world: World): Promise<void> {
  const { register, draw } = world
  const known = register.parts().map(({ part }) => part)
  await lowerTo(world, drawDay(draw), draw.oneIn(2) ? undefined : known.filter(() => draw.oneIn(3)))
}

/** A whole register is found to be of an earlier day than all that it was told. */
export const lowerAll = (world: World): Promise<void> => lowerTo(world, dayOf(10))

async function lowerTo(world: World, to: string, parts?: readonly string[]): Promise<void> {
  const { product, kind, register, told } = world
  told.push(`lower ${parts?.join(', ') ?? 'all'} to ${to}`)
  await product.db.transaction((tx) => lowerScopes(tx, { source: kind.source.name, to, scopes: parts }))
  register.lower(to, parts)
}

export async function prune(world: World): Promise<void> {
  const before = `2025-01-${10 + world.draw.below(4)}`
  if (before > world.keptFrom) world.keptFrom = before
  world.told.push(`prune before ${before}`)
  await pruneHistory(world.product.db, before)
  world.prunedAfter = Math.max(0, ...world.runs.map(({ run }) => run))
  world.register.prune(world.keptFrom)
}

/** What waits is decided: let through, dropped, or given up. */
export async function decide(world: World): Promise<void> {
  const { product, draw, told } = world
  const target = draw.of(world.runs.filter(({ state }) => state === 'waiting'))
  if (!target) return
  const how = draw.of(['approve', 'supersede', 'supersede', 'discard', 'cancel'] as const) ?? 'approve'
  told.push(`${how} ${target.run}`)
  if (how === 'discard' || how === 'cancel') {
    await (how === 'discard'
      ? discardRun(product.db, target.run)
      : cancelRun(product.db, target.run, { by: 'operator' }))
    target.state = 'ended'
    return
  }
  await letThrough(world, target, how)
}

/** @param how over runs that were applied since, or not. */
export async function letThrough(world: World, target: FileRun, how: 'approve' | 'supersede'): Promise<void> {
  const { product } = world
  const isOvertaken = world.applied > target.appliedBefore
  const refusal = await refusalOf(approveRun(product.db, product.queue, target.run, { supersede: how === 'supersede' }))
  if (refusal !== undefined) {
    hold(refusal === 'RUN_OVERTAKEN' && isOvertaken, `approving ${target.run} was refused as ${refusal}`)
    hold(
      how === 'approve' || world.register.isStale(target, rowsIn(world, target.text).rows),
      `superseding by ${target.run} was refused`,
    )
    return
  }
  hold(how === 'supersede' || !isOvertaken, `${target.run} was approved over runs that were applied since`)
  await runSnapshot(product.dependencies(), target.run)
  await applied(world, target)
}

export async function cancelQueued(world: World, asked: Asked): Promise<void> {
  const run = await ask(world, asked)
  world.told.push(`  run ${run} cancelled`)
  await cancelRun(world.product.db, run, { by: 'operator' })
  const { status } = await readEnded(world, run)
  hold(status === 'cancelled', `the cancelled run ${run} is ${status}`)
  const refusal = await refusalOf(cancelRun(world.product.db, run, { by: 'operator' }))
  hold(refusal === 'CONFLICT', `the run ${run} was cancelled twice`)
}

/** The rejects of a run as the product gives them out, each with what it lacked, as a delta of the day of their file. */
export async function repair(world: World): Promise<void> {
  const { product, kind, draw, runs, told } = world
  const target = draw.of(runs.filter(({ state }) => state === 'applied'))
  if (!target) return
  const parts: string[] = []
  for await (const part of await rejectCsvParts(product.db, { runId: target.run })) parts.push(part)
  const [header = [], ...rows] = parse(parts.join('')) as string[][]
  const fixed = rows
    .filter((cells) => cells[header.indexOf('code')] !== 'duplicate_in_file')
    .map((cells, row) => cells.map((cell, at) => kind.fixed(header[at] ?? '', cell, row)))
  if (fixed.length === 0) return
  told.push(`repair ${fixed.length} rejects of ${target.run}`)
  await ingest(world, { text: textOf([header, ...fixed]), day: target.day, mode: 'delta', force: false })
}

export async function suppress(world: World): Promise<void> {
  const { product, draw, told } = world
  told.push('suppress')
  await product.db.transaction((tx) =>
    addSuppressions(tx, product.queue, {
      objections: [{ kind: 'email', value: `${draw.below(9)}@example.in` }],
      actor: 'operator',
    }),
  )
}

export async function endSample(world: World): Promise<void> {
  const { product, register, runs, told } = world
  const sampled = runs.filter(({ isSample, state }) => isSample && state !== 'ended')
  const isOpen = sampled.some(({ state }) => state === 'waiting')
  told.push(`remove the sample: ${sampled.map(({ run }) => run).join(', ')}`)
  const refusal = await refusalOf(product.db.transaction((tx) => removeSample(tx, product.queue)))
  hold((refusal !== undefined) === isOpen, `removing the sample was ${refusal ?? 'done'}`)
  if (isOpen) return
  register.removeSample(runs.filter(({ isSample }) => isSample).map(({ run }) => run))
  for (const each of sampled) if (!register.hasChanged(each.run)) each.state = 'ended'
}
