/**
 * A life, told by its seed: one deed after the other, now and then killed on the way and done again, now and then two at once from two
 * processes. After each the product says what the model says; every few steps the ledger proves itself.
 */

import type { TestDatabase } from '../../../support/database.ts'
import { type Draw, drawOf } from '../../../support/draw.ts'
import { mortal } from '../../../support/mortal-db.ts'
import { createAccount, insertRow } from '../world.ts'
import { type Books, emptyBooks } from './books.ts'
import { choose } from './choose.ts'
import type { Answer, Deed } from './deeds.ts'
import { foresee, overtaken } from './foresee.ts'
import { nightlySteps } from './nightly.ts'
import { perform } from './perform.ts'
import { compare } from './state.ts'

export type Elsewhere = (accountId: string, deed: Deed) => Promise<Answer>

interface Living {
  readonly database: TestDatabase
  readonly accountId: string
  readonly draw: Draw
  readonly elsewhere: Elsewhere
}
/** What happens to others, or to the clock, at the same time would not be one of two orders. */
const alone: readonly Deed['kind'][] = ['pass', 'switch holding', 'refund in the dashboard']
const provedEvery = 12

/** @throws with the seed and what happened until then, where the product and the model part. */
export async function live(database: TestDatabase, elsewhere: Elsewhere, seed: number, steps: number): Promise<void> {
  const { db } = database
  const accountId = await createAccount(db)
  const settings = {
    name: 'mine',
    connector: 'hubspot',
    settings_encrypted: Buffer.alloc(1),
    remote_account: accountId,
    deliver: 'manual',
  }
  await insertRow(db, 'deliver.destination', { account_id: accountId, ...settings })
  const living = { database, accountId, draw: drawOf(seed), elsewhere }
  let books = emptyBooks()
  const told: string[] = []
  try {
    for (let step = 1; step <= steps; step++) {
      books = await next(living, books, told)
      if (step % provedEvery === 0 || step === steps) await prove(living)
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`life ${seed} parts from its model: ${why}\n${told.slice(-25).join('\n')}`, { cause })
  }
}

async function prove({ database }: Living): Promise<void> {
  const found = await database.db.query('SELECT * FROM ledger.violations()')
  if (found.length > 0) throw new Error(`the ledger is at fault: ${JSON.stringify(found)}`)
}

async function next(living: Living, books: Books, told: string[]): Promise<Books> {
  const { database, accountId, draw } = living
  const draws = () => {
    books.moves += 1
    return choose(books, draw)
  }
  const deed = draws()
  const other = draw.oneIn(8) ? draws() : undefined
  if (other && !alone.includes(deed.kind) && !alone.includes(other.kind))
    return together(living, books, [deed, other], told)
  const dies = draw.oneIn(5) ? draw.below(14) : undefined
  told.push(`${books.now.toFixed(2)} ${JSON.stringify(deed)}${dies === undefined ? '' : ` dies at ${dies}`}`)
  const answer = await killedAndDone(living, deed, dies)
  foresee(books, deed, answer)
  await compare(books, database.db, accountId)
  return books
}

/** Killed at a statement nothing has happened, or all has; so it is done again either way, unless it was done. */
async function killedAndDone({ database, accountId }: Living, deed: Deed, dies: number | undefined): Promise<Answer> {
  const { db } = database
  if (dies === undefined) return perform(db, accountId, deed)
  const { db: dying, died } = mortal(db, dies)
  try {
    return await perform(db, accountId, deed, dying)
  } catch (error) {
    if (!died()) throw error
  }
  return perform(db, accountId, deed)
}

type Moves = readonly ((books: Books) => void)[]

/** Of one deed what is one transaction; the nightly job is several, and so is money that is asked for before it is booked. */
function movesOf(deed: Deed, answer: Answer): Moves {
  if (deed.kind === 'jobs') return nightlySteps
  if (deed.kind === 'give money back' && answer.ended === 'asked') return overtaken(deed)
  return [(books) => foresee(books, deed, answer)]
}

/** Every order in which two can have come about: one before the other, or between its transactions. */
function ordersOf(one: Moves, other: Moves): Moves[] {
  if (one.length > 1 && other.length > 1) return [[...one, ...other]]
  const [long, short] = one.length > 1 ? [one, other] : [other, one]
  return [...long, undefined].map((_, at) => [...long.slice(0, at), ...short, ...long.slice(at)])
}

/** Whichever came first: one of the orders explains what came of it. */
async function together(
  { database, accountId, elsewhere }: Living,
  books: Books,
  [one, other]: readonly [Deed, Deed],
  told: string[],
): Promise<Books> {
  told.push(`${books.now.toFixed(2)} at once: ${JSON.stringify(one)} ${JSON.stringify(other)}`)
  const [here, there] = await Promise.all([perform(database.db, accountId, one), elsewhere(accountId, other)])
  const why: unknown[] = []
  for (const moves of ordersOf(movesOf(one, here), movesOf(other, there))) {
    const then = structuredClone(books)
    try {
      for (const move of moves) move(then)
      await compare(then, database.db, accountId)
      return then
    } catch (error) {
      why.push(error)
    }
  }
  throw new AggregateError(
    why,
    why.map((each) => (each instanceof Error ? each.message : '')).join('\nand the other way round: '),
  )
}
