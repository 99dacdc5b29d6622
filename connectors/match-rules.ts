/**
 * How existing records of a customer are matched: by the fields that the settings name, or by the usual ones of the
 * CRM.
 */
import { z } from 'zod'
import { leadColumns } from '../config/lead-columns.ts'
import { emailDomainColumn } from './email-domain.ts'

const columnNames = new Set(Object.values(leadColumns).flatMap((columns) => columns.map(({ name }) => name)))

/** CRM field → lead column; a record matches if all of them agree. */
const MatchRule = z
  .record(
    z.string().regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)?$/, 'must be the name of a field'),
    z.string().refine((name) => name === emailDomainColumn || columnNames.has(name), 'is not a lead column'),
  )
  .refine((rule) => Object.keys(rule).length >= 1 && Object.keys(rule).length <= 4, 'must name one to four fields')
export type MatchRule = Readonly<z.output<typeof MatchRule>>

/** The first rule that finds a record decides. Missing: the CRM's usual rules. Empty: no matching. */
export const MatchOn = z.array(MatchRule).max(5)

export interface MatchBy {
  /** From the settings. */
  readonly named: readonly MatchRule[] | undefined
  /** The defaults. */
  readonly usual: readonly MatchRule[]
  /** Fields that this user can query by, as rules name them; missing if every CRM of this kind has them. */
  askable?(): Promise<ReadonlySet<string>>
}

/** A rule from the settings always applies; a default rule is skipped if the CRM lacks its fields. */
export async function askForRules({ named, usual, askable }: MatchBy): Promise<readonly MatchRule[]> {
  if (named !== undefined) return named
  const fields = await askable?.()
  return usual.filter((rule) => Object.keys(rule).every((field) => fields?.has(field) ?? true))
}
