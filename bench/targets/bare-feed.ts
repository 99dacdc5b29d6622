/**
 * The baseline of the feeds: Fastify and pg, one prepared statement that reads the first page by its index, no total.
 */
import Fastify from 'fastify'
import pg from 'pg'
import type { StartTarget } from '../server-thread.ts'

interface Asked {
  readonly limit: number
  readonly state?: string
  readonly district?: string
  readonly pincode?: string
}

/** As many columns as the feed's records have. */
const feeds = {
  companies: {
    dataset: 'company',
    columns: `r.cin, r.name, r.incorporated_on, r.company_type, r.class, r.category, r.main_division,
      r.main_division_description, r.city, r.district, r.state, r.pincode`,
    join: 'registry.company r ON r.cin = f.identifier',
  },
  gst: {
    dataset: 'gst',
    columns: `r.gstin, r.trade_name, r.legal_name, r.status, r.taxpayer_type, r.constitution, r.registered_on,
      r.core_business, r.business_activities, r.city, r.district, r.state, r.pincode`,
    join: 'registry.gst_taxpayer r ON r.gstin = f.identifier',
  },
  directors: {
    dataset: 'director',
    columns: `r.din, r.first_name, r.middle_name, r.last_name, r.full_name, r.approved_on, r.status, r.disqualified,
      r.district, r.state, r.pincode, r.country`,
    join: 'registry.director r ON r.din = f.identifier',
  },
} as const

export const startTarget: StartTarget = async (databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = Fastify()
  for (const [path, { dataset, columns, join }] of Object.entries(feeds)) {
    app.post<{ Body: Asked }>(`/api/recently-registered/${path}`, async ({ body }) => {
      const place = body.state
        ? 'AND f.state = $2'
        : body.district
          ? 'AND f.district = $2'
          : body.pincode
            ? 'AND f.pincode = $2'
            : ''
      const asked = body.state ?? body.district ?? body.pincode
      const { rows } = await pool.query({
        name: `${dataset} ${place}`,
        text: `SELECT ${columns} FROM feed.${dataset} f JOIN ${join} WHERE true ${place}
               ORDER BY f.registered_on DESC, f.identifier LIMIT $1`,
        values: asked === undefined ? [body.limit] : [body.limit, asked],
      })
      return { data: rows }
    })
  }
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), callers: [] }
}
