/**
 * An API key in place of an access token is answered with the one call that exchanges it, ready to paste. The key itself is
 * not repeated: answers end up in logs that headers are kept out of.
 */
import type { FastifyRequest } from 'fastify'
import { looksLikeApiKey } from '../../access/api-keys.ts'
import { AppError } from '../../errors.ts'

/** @throws AppError API_KEY_AS_BEARER */
export function refuseRawApiKey(bearer: string, { protocol, headers }: FastifyRequest): void {
  if (!looksLikeApiKey(bearer)) return
  throw new AppError(
    'API_KEY_AS_BEARER',
    'This is an API key, not an access token. Exchange it first: POST /api/auth/login with {"api_key": "…"}, ' +
      'then send token.access_token as bearer.',
    // A Host that is no name of a server was refused before, so nothing of it means anything to a shell.
    { extra: { exchange: exchangeCall(`${protocol}://${headers.host ?? 'localhost'}`) } },
  )
}

const exchangeCall = (origin: string): string =>
  `curl -sS ${origin}/api/auth/login -H 'Content-Type: application/json' -d "{\\"api_key\\": \\"$PANJI_API_KEY\\"}"`
