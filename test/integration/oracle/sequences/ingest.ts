/** Files come in: asked for, run here or in another process, applied, held for approval, or known already, as the oracle has them. */
import { deepStrictEqual } from 'node:assert'
import { runSnapshot } from '../../../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../../../src/ingest/run/request-run.ts'
import { sampleRequester } from '../../../../src/ingest/run/sample-world.ts'
import { keepInput } from '../../../../src/ingest/run/source-address.ts'
import type { RegisterOracle } from '../../../oracle/register.ts'
import { testSecretKey } from '../../../support/ingest.ts'
import { type FileRun, hold, rowsIn, type World } from './world.ts'

export interface Asked {
  readonly text: string
  readonly day: string
  readonly mode: 'snapshot' | 'delta'
  readonly force: boolean
  readonly isSample?: boolean
}

export async function ask(world: World, { text, day, mode, force, isSample = false }: Asked): Promise<number> {
  const { product } = world
  const path = product.file(`sequence-${++world.files}.csv`, text)
  const of = { source: world.kind.source.name, ...keepInput(path, testSecretKey), asOf: day, mode, force }
  const by = isSample ? { requestedBy: sampleRequester } : {}
  const { runId } = await product.db.transaction((tx) => requestRun(tx, product.queue, { ...of, ...by }))
  return runId
}

export async function ingest(world: World, asked: Asked): Promise<void> {
  const run = await ask(world, asked)
  await runSnapshot(world.product.dependencies(), run)
  await account(world, run, asked)
}

/** Both at once, one of them in another process: one waits for the other and is run again. */
export async function ingestBoth(world: World, one: Asked, other: Asked): Promise<void> {
  const { product } = world
  const asked = new Map([
    [await ask(world, one), one],
    [await ask(world, other), other],
  ])
  const [here = 0, there = 0] = asked.keys()
  const refusedHere = runSnapshot(product.dependencies(), here).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )
  for (const refused of await Promise.all([refusedHere, product.runElsewhere(there)]))
    hold(refused === undefined || refused === 'RUN_IN_PROGRESS', `a run beside another was refused as ${refused}`)
  for (const run of asked.keys()) await runSnapshot(product.dependencies(), run)
  const turns = await product.db.query<{ run_id: number }>(
    'SELECT run_id FROM ingest.run r WHERE run_id = ANY ($1) ORDER BY r.turn',
    [[...asked.keys()]],
  )
  for (const { run_id } of turns) await account(world, run_id, asked.get(run_id) ?? one)
}

interface Ended {
  readonly status: string
  readonly rows_read: number
  readonly rejected: number
  readonly counts: object
  readonly rejects: unknown
}
export async function readEnded(world: World, run: number): Promise<Ended> {
  const [ended] = await world.product.db.query<Ended>(
    `SELECT status, rows_read, rejected, jsonb_build_object('inserted', inserted, 'updated', updated, 'unchanged', unchanged,
            'skipped', skipped, 'closed', closed) AS counts,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('line', line, 'code', code) ORDER BY line), '[]') FROM ingest.reject r
        WHERE r.run_id = run.run_id) AS rejects
     FROM ingest.run WHERE run_id = $1`,
    [run],
  )
  hold(ended !== undefined, `run ${run} is gone`)
  return ended
}

/** What the oracle makes of a run that has ended, and whether that is how it ended. */
async function account(world: World, run: number, asked: Asked): Promise<void> {
  const { register, told, runs } = world
  const { day, mode, text, isSample = false } = asked
  const ended = await readEnded(world, run)
  told.push(`  run ${run} ${ended.status} ${JSON.stringify(ended.counts)}`)
  const one: FileRun = { run, day, mode, text, isSample, state: 'applied', appliedBefore: world.applied }
  runs.push(one)
  const { rows, alsoSeen } = rowsIn(world, text)
  const after = register.copy()
  const foreseen = after.takeIn({ run, mode, day }, rows, alsoSeen)
  if (ended.status === 'no_op') {
    one.state = 'ended'
    // One that waits, or that would be skipped again, is not read twice.
    const waits = runs.some(
      (each) =>
        (each.state === 'waiting' || (each.isIdle && register.taken(each.run, false).length > 0)) &&
        each.text === text &&
        each.day === day &&
        each.mode === mode,
    )
    const isKnown = foreseen.inserted + foreseen.updated + foreseen.closed === 0
    hold(!asked.force && (waits || isKnown), `run ${run} says that nothing is new, and ${JSON.stringify(foreseen)} is`)
    if (!waits) {
      world.applied += 1
      const before = runs.findLast((each) => each.text === text && each.state === 'applied')
      register.find({ run, mode, day }, rows, before?.run ?? run)
    }
    return
  }
  if (ended.status === 'needs_approval') {
    one.state = 'waiting'
    const closesFew = foreseen.closed <= 1 && !closesBeyond(register, after, run, { few: 0, share: 1 / 3 })
    const isHarmless = closesFew && foreseen.updated <= 50 && ended.rejected <= 6
    hold(!isHarmless, `run ${run} waits, and would do no more than ${JSON.stringify(foreseen)}`)
    return
  }
  hold(
    !closesBeyond(register, after, run, { few: 2, share: 1 / 2 }),
    `run ${run} closed most of a part and did not wait`,
  )
  await applied(world, one)
}

/** Whether it closes more than a few of a part, and more than a share of what was open there. */
const closesBeyond = (
  before: RegisterOracle,
  after: RegisterOracle,
  run: number,
  { few, share }: { readonly few: number; readonly share: number },
): boolean => {
  const open = before.openByPart()
  return [...after.closedBy(run)].some(([part, closed]) => closed > Math.max(few, share * (open.get(part) ?? 0)))
}

/** @throws where its counts or rejects are not the oracle's. */
export async function applied(world: World, one: FileRun): Promise<void> {
  const { rows, alsoSeen, rejects, rowsRead } = rowsIn(world, one.text)
  const counts = world.register.takeIn(one, rows, alsoSeen)
  one.state = 'applied'
  one.isIdle = counts.skipped > 0 && counts.inserted + counts.updated + counts.closed === 0
  world.applied += 1
  const wanted: Ended = { status: 'succeeded', rows_read: rowsRead, rejected: rejects.length, counts, rejects }
  deepStrictEqual(JSON.parse(JSON.stringify(await readEnded(world, one.run))), JSON.parse(JSON.stringify(wanted)))
}
