/**
 * The typed client of the Panji API. Paths, parameters and bodies are those of the OpenAPI document. The client
 * exchanges the API key for a token, renews it, waits for rate limits, and adds an Idempotency-Key to each POST that
 * accepts one.
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
  /** Base address of the API, for example `https://panji.example`. */
  readonly baseUrl: string
  /** `panji_…`, from the security settings of your profile. */
  readonly apiKey: string
}

export type PanjiClient = Client<paths>

const keyHeader = 'Idempotency-Key'

/** By default a call is tried up to four times, with up to 60 seconds between two attempts. */
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
      // The API ignores the key on other operations, so a repeat would act twice.
      if (!repeatable.has(schemaPath)) request.headers.delete(keyHeader)
      // A key set by the caller makes a repeat of the whole call safe, even after the caller crashed.
      else if (!request.headers.has(keyHeader)) request.headers.set(keyHeader, randomUUID())
      return request
    },
  })
  return api
}

/** True for a 401 that a new token fixes: the token expired or its session was ended. */
async function isOver(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return false
  const body = (await response.clone().json()) as Partial<ErrorBody>
  return body.error_code === 'TOKEN_EXPIRED' || body.error_code === 'UNAUTHENTICATED'
}
