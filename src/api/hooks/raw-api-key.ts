/**
 * An API key sent as an access token is answered with the one call that exchanges it, ready to paste. The key itself is
 * not repeated, because responses end up in logs that headers are kept out of.
 */
import type { FastifyRequest } from 'fastify'
import { looksLikeApiKey } from '../../access/api-keys.ts'
import { hostInUrl } from '../../domain/host-in-url.ts'
import { AppError } from '../../errors.ts'

/**
 * @param publicUrl when unset, the address at which this server received the call. @throws AppError API_KEY_AS_BEARER
 */
export function refuseRawApiKey(bearer: string, { socket }: FastifyRequest, publicUrl: string | undefined): void {
  if (!looksLikeApiKey(bearer)) return
  throw new AppError(
    'API_KEY_AS_BEARER',
    'This is an API key, not an access token. Exchange it first: POST /api/auth/login with {"api_key": "…"}, ' +
      'then send token.access_token as bearer.',
    // The Host header is untrusted, and a key is sent to this URL.
    { extra: { exchange: exchangeCall(publicUrl ?? addressOf(socket)) } },
  )
}

function addressOf({ localAddress = '127.0.0.1', localPort }: FastifyRequest['socket']): string {
  return `http://${hostInUrl(localAddress)}:${localPort ?? 80}`
}

const exchangeCall = (origin: string): string =>
  `curl -sS ${origin}/api/auth/login -H 'Content-Type: application/json' -d "{\\"api_key\\": \\"$PANJI_API_KEY\\"}"`
