/** One GST registration by its GSTIN, as the API's details name its fields; undefined when unknown. */
import type { Queryable } from '../../db/db.ts'
import { gatheredRecords } from '../../db/gathered.ts'

export interface GstDetails {
  readonly GSTIN: string
  readonly LegalName: string | null
  readonly TradeName: string | null
  readonly Status: string | null
  readonly TaxpayerType: string | null
  readonly ConstitutionBusiness: string | null
  readonly dateOfRegistration: string | null
  readonly state: string | null
  readonly Address: string | null
  readonly Pincode: string | null
  readonly COREBUSINESS: string | null
  readonly BusinessActivities: readonly string[]
  readonly hsnCodes: readonly string[]
  readonly sacCodes: readonly string[]
}

/** Of a taxpayer row `g`. */
export const gstColumns = `g.gstin AS "GSTIN", g.legal_name AS "LegalName", g.trade_name AS "TradeName", g.status AS "Status",
           g.taxpayer_type AS "TaxpayerType", g.constitution AS "ConstitutionBusiness",
           g.registered_on AS "dateOfRegistration", g.state, g.address AS "Address", g.pincode AS "Pincode",
           g.core_business AS "COREBUSINESS", g.business_activities AS "BusinessActivities",
           g.hsn_codes AS "hsnCodes", g.sac_codes AS "sacCodes"`

const statement = {
  name: 'gst-details',
  text: `SELECT ${gstColumns}
         FROM registry.gst_taxpayer g
         WHERE g.gstin = ANY($1::text[])`,
}

export type GstDetailsReader = (identifier: string) => Promise<GstDetails | undefined>

/** What is asked for at the same time is read together. */
export const createGstDetailsReader = (db: Queryable): GstDetailsReader =>
  gatheredRecords(
    (gstins) => db.query<GstDetails>(statement, [gstins]),
    ({ GSTIN }) => GSTIN,
  )
