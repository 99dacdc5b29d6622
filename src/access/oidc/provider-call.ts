/** One call to the OIDC provider that returns JSON, limited in time and size; redirects are not followed. */
import { request } from 'undici'
import { AppError } from '../../errors.ts'

const timeoutMs = 10_000
const answerBytesMax = 262_144

export interface ProviderCall {
  /** Without it the call is a GET. */
  readonly form?: Readonly<Record<string, string>>
  readonly authorization?: string
}

/** @throws AppError OIDC_UNAVAILABLE where it does not answer with JSON. */
export async function callProvider(url: string, { form, authorization }: ProviderCall = {}): Promise<unknown> {
  try {
    const { statusCode, body } = await request(url, {
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readBounded(body)
    if (statusCode !== 200) throw new Error(`it answered ${statusCode}`)
    return JSON.parse(text)
  } catch (cause) {
    throw providerAway(cause)
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > answerBytesMax) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const providerAway = (cause: unknown): AppError =>
  new AppError('OIDC_UNAVAILABLE', 'The sign-in provider is not responding correctly. Try again, or use a link.', {
    cause,
  })
