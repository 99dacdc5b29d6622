/** The call of a command that asks, and what it shows before it asks. */
import type { Db } from '../../db/db.ts'
import type { Invoked } from '../audit/command-audit.ts'

/** The options of all these commands together; each command declares its own. */
export interface AskedOptions {
  readonly yes?: boolean
  readonly to?: string
  readonly scope?: string
  readonly before?: string
  readonly amount?: number
  readonly items?: readonly number[]
  readonly term?: number
  readonly all?: boolean
  readonly remove?: boolean
  readonly lost?: boolean
  readonly file?: string
  readonly id?: readonly string[]
  readonly email?: readonly string[]
  readonly mobile?: readonly string[]
  readonly din?: readonly string[]
  readonly pan?: readonly string[]
}

export interface Asked extends Pick<Invoked, 'path' | 'args'> {
  readonly db: Db
  readonly options: AskedOptions
}

/**
 * What would be closed, removed or refunded, in a line or two; undefined where these options do nothing of the kind.
 */
export type Figures = (asked: Asked) => Promise<string | undefined>
