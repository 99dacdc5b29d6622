/** What a sequence happens in: the product on a database, the oracle's register, the runs so far, and what was done, for who reads a failure. */
import type { Db } from '../../../../src/db/db.ts'
import type { RunDependencies } from '../../../../src/ingest/run/run-dependencies.ts'
import type { JobSender } from '../../../../src/queue/queue.ts'
import { judgedOf, type ReadRows, rowsOf } from '../../../oracle/read/rows.ts'
import { RegisterOracle } from '../../../oracle/register.ts'
import type { Draw } from '../../../support/draw.ts'
import type { RegisterKind } from './kinds/kind.ts'

export interface Product {
  /** As the superuser. */
  readonly db: Db
  readonly queue: JobSender
  readonly dependencies: () => RunDependencies
  readonly file: (name: string, content: string) => string
  /** Runs it in a process of its own. @returns the code of what it was refused with. */
  readonly runElsewhere: (runId: number) => Promise<string | undefined>
}

/** A run that was asked for with a file. */
export interface FileRun {
  readonly run: number
  readonly day: string
  readonly mode: 'snapshot' | 'delta'
  readonly text: string
  readonly isSample: boolean
  state: 'applied' | 'waiting' | 'ended'
  /** Runs that were applied when it began to wait. */
  readonly appliedBefore: number
  /** Whether some of its rows were skipped, and no other changed anything. */
  isIdle?: boolean
}

export interface World {
  readonly product: Product
  readonly kind: RegisterKind
  /** Of the register, as far as the oracle judges them. */
  readonly columns: readonly string[]
  readonly draw: Draw
  readonly register: RegisterOracle
  readonly runs: FileRun[]
  readonly told: string[]
  /** Runs that were applied, and those that found the register as their file has it. */
  applied: number
  keptFrom: string
  /** The newest run when the history was thinned out last. */
  prunedAfter: number
  files: number
}

export function newWorld(product: Product, kind: RegisterKind, draw: Draw): World {
  const columns = judgedOf(kind.source)
  const register = new RegisterOracle(columns, kind.source.scope)
  return {
    ...{ product, kind, columns, draw, register, runs: [], told: [] },
    ...{ applied: 0, keptFrom: '', prunedAfter: 0, files: 0 },
  }
}

export const dayOf = (day: number): string => `2025-01-${day}`
export const drawDay = (draw: Draw): string => dayOf(10 + draw.below(8))
export const lastDay = dayOf(17)
/** @throws where it does not hold. */
export function hold(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}

export const rowsIn = ({ kind, register }: World, text: string): ReadRows =>
  rowsOf(kind.source, Buffer.from(text), (id) => register.knows(id))
