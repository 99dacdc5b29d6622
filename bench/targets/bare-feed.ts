/** The yardstick of the feeds: Fastify and pg, one prepared statement that reads the first page by its index, no total. */
import Fastify from 'fastify'
import pg from 'pg'
import type { StartTarget } from '../server-thread.ts'

export const startTarget: StartTarget = async (databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = Fastify()
  app.post<{ Body: { limit: number } }>('/api/recently-registered/companies', async (request) => {
    const { rows } = await pool.query({
      name: 'bare',
      // As many columns as the feed's records have.
      text: `SELECT r.cin, r.name, r.incorporated_on, r.company_type, r.class, r.category, r.main_division,
               r.main_division_description, r.city, r.district, r.state, r.pincode
             FROM feed.registration f JOIN registry.company r ON r.cin = f.identifier
             WHERE f.dataset = 'company' ORDER BY f.registered_on DESC, f.identifier LIMIT $1`,
      values: [request.body.limit],
    })
    return { data: rows }
  })
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), callers: [] }
}
