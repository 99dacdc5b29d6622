/**
 * The typed client of the Panji API. Paths, parameters and bodies are those of the OpenAPI document; beneath them the
 * client exchanges the API key, renews the token, waits out limits and gives each POST that takes one an Idempotency-Key.
 */
import { randomUUID } from 'node:crypto'
import createClient, { type Client } from 'openapi-fetch'
import type { ErrorBody } from './api-error.ts'
import type { paths } from './api-types.ts'
import { createPatientFetch, type Patience } from './patient-fetch.ts'
import { repeatable } from './repeatable.ts'
import { type AccessToken, createSession } from './session.ts'
import { unlessAborted } from './unless-aborted.ts'

export { type Answer, dataOf, type ErrorBody, PanjiApiError } from './api-error.ts'
export type { components, paths } from './api-types.ts'
export { everyHit, everyRecord } from './pages.ts'
export { verifyWebhook, type WebhookEvent, WebhookRefused, type WebhookRequest } from './webhook.ts'

export interface PanjiClientOptions extends Partial<Patience> {
  /** Address of the API, for example `https://panji.example`. */
  readonly baseUrl: string
  /** `panji_…`, from the security settings of the profile. */
  readonly apiKey: string
}

export type PanjiClient = Client<paths>

const keyHeader = 'Idempotency-Key'

/** By default a call is tried up to four times and waits up to 60 seconds before each further try. */
export function createPanjiClient(options: PanjiClientOptions): PanjiClient {
  const { baseUrl, apiKey, triesMax = 4, waitSecondsMax = 60 } = options
  const send = createPatientFetch({ triesMax, waitSecondsMax })
  const session = createSession({ baseUrl, apiKey, fetch: (input, init) => send(new Request(input, init), true) })
  const sendAs = (request: Request, { accessToken }: AccessToken) => {
    const authorized = new Request(request.clone())
    authorized.headers.set('Authorization', `Bearer ${accessToken}`)
    return send(authorized, request.method === 'POST' ? request.headers.has(keyHeader) : request.method !== 'DELETE')
  }

  const api = createClient<paths>({
    baseUrl,
    fetch: async (request) => {
      const token = await unlessAborted(request.signal, session.token())
      const response = await sendAs(request, token)
      if (response.status !== 401 || !(await isOver(response))) return response
      return sendAs(request, await unlessAborted(request.signal, session.tokenAfter(token)))
    },
  })
  api.use({
    onRequest({ request, schemaPath }) {
      if (request.method !== 'POST') return request
      // Elsewhere the API does not look at one, and what was done once would be done twice.
      if (!repeatable.has(schemaPath)) request.headers.delete(keyHeader)
      // A key that the caller sets makes a repeat of the whole call safe, also after a crash of the caller.
      else if (!request.headers.has(keyHeader)) request.headers.set(keyHeader, randomUUID())
      return request
    },
  })
  return api
}

/** Of a 401: the token has expired, or its session was ended; a new token helps, unlike with an operator's endpoint. */
async function isOver(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return false
  const body = (await response.clone().json()) as Partial<ErrorBody>
  return body.error_code === 'TOKEN_EXPIRED' || body.error_code === 'UNAUTHENTICATED'
}
