/** One GST registration by its GSTIN, with the field names of the API's details; undefined if unknown. */

import type { Answer } from '../../../config/fields/answer.ts'
import { shownOn } from '../../../config/fields/shown.ts'
import type { Queryable } from '../../db/db.ts'
import { gatheredRecords } from '../../db/gathered.ts'
import { selected } from '../../db/shown-columns.ts'
import { sql } from '../../db/sql.ts'

export type GstDetails = Answer<'gst', 'details'>

/** For a taxpayer row `g`. */
export const gstColumns = selected('g', shownOn('gst', 'details'))

const statement = {
  name: 'gst-details',
  text: sql`SELECT ${gstColumns}
         FROM registry.gst_taxpayer g
         WHERE g.gstin = ANY($1::text[])`,
}

export type GstDetailsReader = (identifier: string) => Promise<GstDetails | undefined>

/** Concurrent lookups are batched. */
export const createGstDetailsReader = (db: Queryable): GstDetailsReader =>
  gatheredRecords(
    (gstins) => db.query<GstDetails>(statement, [gstins]),
    ({ GSTIN }) => GSTIN,
  )
