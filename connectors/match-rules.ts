/** By what records are found that a customer had in a CRM before: the fields that the settings name, or those that are usual in the CRM. */
import { z } from 'zod'
import { leadColumns } from '../config/lead-columns.ts'
import { emailDomainColumn } from './email-domain.ts'

const columnNames = new Set(Object.values(leadColumns).flatMap((columns) => columns.map(({ name }) => name)))

/** Field of the CRM → lead column; a record matches where all of them agree. */
const MatchRule = z
  .record(
    z.string().regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)?$/, 'must be the name of a field'),
    z.string().refine((name) => name === emailDomainColumn || columnNames.has(name), 'is no lead column'),
  )
  .refine((rule) => Object.keys(rule).length >= 1 && Object.keys(rule).length <= 4, 'must name one to four fields')
export type MatchRule = Readonly<z.output<typeof MatchRule>>

/** The first rule that finds a record decides. Left out: those that are usual in the CRM. Empty: nothing is looked for. */
export const MatchOn = z.array(MatchRule).max(5)

export interface MatchBy {
  /** As the settings have them. */
  readonly named: readonly MatchRule[] | undefined
  /** What is looked for where they have none. */
  readonly usual: readonly MatchRule[]
  /** Fields that this user may ask by, as rules name them; left out where every CRM of this kind has them. */
  askable?(): Promise<ReadonlySet<string>>
}

/** A field that is named is asked by whatever becomes of it; a rule that is only usual is passed over where the CRM has it not. */
export async function askForRules({ named, usual, askable }: MatchBy): Promise<readonly MatchRule[]> {
  if (named !== undefined) return named
  const fields = await askable?.()
  return usual.filter((rule) => Object.keys(rule).every((field) => fields?.has(field) ?? true))
}
