/** The columns of a record in search results (row alias `r`). */
import type { Answer } from '../../config/fields/answer.ts'
import { shownOn } from '../../config/fields/shown.ts'
import { selected } from '../db/shown-columns.ts'

export type CompanyHit = Answer<'company', 'hit'>
export type GstHit = Answer<'gst', 'hit'>

export interface Hits {
  company: CompanyHit
  gst: GstHit
}

export const hitColumns: Readonly<Record<keyof Hits, string>> = {
  company: selected('r', shownOn('company', 'hit')),
  gst: selected('r', shownOn('gst', 'hit')),
}

export function identifierOf(hit: CompanyHit | GstHit): string {
  return 'CIN' in hit ? hit.CIN : hit.GSTIN
}
