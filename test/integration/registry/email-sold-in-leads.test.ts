/** Where an operator sells a company's e-mail address in leads alone, no free answer of that plan tells it, and the quote names it. */
import { expect, test } from 'vitest'
import { detailsShown } from '../../../config/plans.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest } = useIngest(database)
const settings = { leadSource: 'Panji', onlineLabel: 'online' }
const api = useApi(database)
const selling = useApi(database, [], {
  settings: { ...settings, detailsShown: { ...detailsShown, free: { companyEmail: false } } },
})

/** What each answer of a company tells, and what a quote says that a credit adds. */
async function told(from: typeof api, { token }: LoggedIn, cin: string, day: string) {
  const paths = ['details', 'history', 'trace', `details?as_of=${day}`].map((path) =>
    path.includes('?') ? `/api/company/${path}&cin=${cin}` : `/api/company/${path}?cin=${cin}`,
  )
  const replies = await Promise.all(paths.map((path) => from.get(path, token)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  const items = [{ type: 'company', number: cin }]
  const quote = (await from.post('/api/orders/quote', token, { items })).json()
  return { bodies: replies.map(({ body }) => body), details: replies[0]?.json().data, adds: quote.types[0].adds }
}

test('details, history and trace of a plan that is not shown it leave it out, and the quote names it', async () => {
  await ingest('mca-companies', registryFixture('mca-companies-2018.csv'), { asOf: '2018-03-31' })
  const [{ cin, email } = { cin: '', email: '' }] = await database.db.query<{ cin: string; email: string }>(
    'SELECT cin, email FROM registry.company WHERE email IS NOT NULL ORDER BY cin LIMIT 1',
  )
  expect(email).toContain('@')
  const free = await newCustomer(api, database)
  const shown = await told(api, free, cin, '2018-04-01')
  expect(shown.bodies.map((body) => body.includes(email))).toEqual([true, true, true, true])
  expect(shown.adds).toEqual(['Mobile', 'Phone', 'Website'])

  const sold = await told(selling, free, cin, '2018-04-01')
  expect(sold.bodies.map((body) => body.includes(email))).toEqual([false, false, false, false])
  expect(sold.details).toEqual({ ...shown.details, email: null })
  expect(sold.adds).toEqual(['Email', 'Mobile', 'Phone', 'Website'])

  const premium = await newCustomer(api, database, { plan: 'premium' })
  expect((await told(selling, premium, cin, '2018-04-01')).details).toEqual(shown.details)
})
