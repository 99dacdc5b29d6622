/** What leads put into the fields of a CRM, and which of their values its restricted lists lack. */

/** A value that its field's restricted list lacks: it is written to the lead's description, or not at all. */
export interface Misfit {
  /** Field name as in `describe`. */
  readonly field: string
  /** Column of the lead; null if the destination's own mapping supplies the value. */
  readonly column: string | null
  readonly value: string
}

export type ReportMisfit = (misfit: Misfit) => void

/** What a lead puts into the CRM, whatever its record holds now. */
export interface FilledLead {
  /** By field name as in `describe`; an empty text clears the field. */
  readonly values: Readonly<Record<string, string | number>>
  /** Values that the CRM's lists lack. */
  readonly misfits: readonly Misfit[]
}

/** One per lead, in order. @param valuesOf what a lead puts into the CRM, by field name as in `describe`. */
export const fillEach = <Lead>(
  leads: readonly Lead[],
  valuesOf: (lead: Lead, reportMisfit: ReportMisfit) => FilledLead['values'],
): readonly FilledLead[] =>
  leads.map((lead) => {
    const misfits: Misfit[] = []
    return { values: valuesOf(lead, (misfit) => void misfits.push(misfit)), misfits }
  })
