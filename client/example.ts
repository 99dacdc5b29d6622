/** Prints the scopes of a key, large companies of Maharashtra and the newest GST registrations. */
import { createPanjiClient, dataOf, everyHit, PanjiApiError } from './index.ts'

const panji = createPanjiClient({
  baseUrl: process.env['PANJI_URL'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['PANJI_API_KEY'] ?? '',
})

const access = dataOf(await panji.GET('/api/access'))
console.log(access.account.username, access.datasets.recently_registered.gst.enabled)

// Paths, parameters, bodies and responses are typed: a misspelt member does not compile.
for await (const hit of everyHit(panji, {
  type: 'company',
  query: "State == 'Maharashtra' AND paidUpCapital > 1000000",
})) {
  if ('CIN' in hit) console.log(hit.CIN, hit.companyName, hit.paidUpCapital)
}

// Without dataOf, a response has either `data` or `error`.
const feed = await panji.POST('/api/recently-registered/gst', { body: { state: 'Goa', limit: 5 } })
if (feed.error) console.log(feed.error.error_code, feed.error.detail)
else for (const { GSTIN, DateOfRegistration } of feed.data.data) console.log(GSTIN, DateOfRegistration)

try {
  dataOf(await panji.GET('/api/company/details', { params: { query: { cin: 'U85100GA2022PTC999999' } } }))
} catch (error) {
  if (!(error instanceof PanjiApiError)) throw error
  console.log(error.status, error.code, error.message)
}
