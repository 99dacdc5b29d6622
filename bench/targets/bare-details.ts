/** The baseline: Fastify and pg with nothing between, one prepared primary-key SELECT per request. */
import Fastify from 'fastify'
import pg from 'pg'
import type { StartTarget } from '../server-thread.ts'

export const startTarget: StartTarget = async (databaseUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = Fastify()
  app.get<{ Querystring: { cin: string } }>('/api/company/details', async (request) => {
    const { rows } = await pool.query({
      name: 'bare',
      // As many columns as the details have; a wider row would flatter the ratio.
      text: `SELECT cin, name, company_type, class, category, status, incorporated_on, authorised_capital, paid_up_capital,
               registered_address, city, state, pincode, email, nic_code, nic_description
             FROM registry.company WHERE cin = $1`,
      values: [request.query.cin],
    })
    return { data: rows[0] }
  })
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), callers: [] }
}
