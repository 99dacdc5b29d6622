/** One GST registration by its GSTIN, as the API's details name its fields; undefined when unknown. */
import type { Answer } from '../../../config/fields/answer.ts'
import { shownOn } from '../../../config/fields/shown.ts'
import type { Queryable } from '../../db/db.ts'
import { selected } from '../../db/shown-columns.ts'

export type GstDetails = Answer<'gst', 'details'>

/** Of a taxpayer row `g`. */
export const gstColumns = selected('g', shownOn('gst', 'details'))

const statement = {
  name: 'gst-details',
  text: `SELECT ${gstColumns}
         FROM registry.gst_taxpayer g
         WHERE g.gstin = $1`,
}

export async function readGstDetails(db: Queryable, gstin: string): Promise<GstDetails | undefined> {
  const [found] = await db.query<GstDetails>(statement, [gstin])
  return found
}
