/** Calls Razorpay's JSON API and maps its refusals to errors by their remedy. */
import { request } from 'undici'
import { z } from 'zod'
import { AppError } from '../../errors.ts'

const timeoutMs = 10_000
const answerBytesMax = 1_048_576
const Refusal = z.object({ error: z.object({ description: z.string().max(500) }) })

export interface RazorpayCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly authorization: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** @throws AppError PAYMENT_UNAVAILABLE, PAYMENT_KEY_REFUSED, PAYMENT_LIMITED, PAYMENT_REFUSED */
export async function callRazorpay({ method, url, authorization, body, headers }: RazorpayCall): Promise<unknown> {
  const reply = await request(url, {
    method,
    headers: { ...headers, authorization, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal: AbortSignal.timeout(timeoutMs),
  }).then(
    async ({ statusCode, body: answer }) => ({ statusCode, text: await answer.text() }),
    (cause: unknown) => {
      throw processorAway(cause)
    },
  )
  if (reply.statusCode !== 200 || reply.text.length > answerBytesMax) throw refusalOf(reply)
  return jsonOf(reply.text)
}

function refusalOf({ statusCode, text }: { readonly statusCode: number; readonly text: string }): AppError {
  const cause = new Error(`the processor answered ${statusCode}`)
  if (statusCode === 401 || statusCode === 403) {
    return new AppError('PAYMENT_KEY_REFUSED', 'The payment processor rejects the key of this shop.', { cause })
  }
  // 409: the same request is in progress.
  if (statusCode === 429 || statusCode === 409) {
    return new AppError(
      'PAYMENT_LIMITED',
      'The payment processor takes no more calls for a moment. Nothing was charged.',
      {
        cause,
        retry: 'later',
        retryAfterSeconds: 30,
      },
    )
  }
  if (statusCode < 400 || statusCode >= 500) return processorAway(cause)
  const refusal = Refusal.safeParse(jsonOf(text))
  const why = refusal.success ? `: ${refusal.data.error.description}` : ''
  return new AppError('PAYMENT_REFUSED', `The payment processor does not take this payment${why}`, { cause })
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function processorAway(cause: unknown): AppError {
  return new AppError('PAYMENT_UNAVAILABLE', 'The payment processor does not answer. Nothing was charged; try again.', {
    cause,
    retry: 'later',
    retryAfterSeconds: 10,
  })
}
