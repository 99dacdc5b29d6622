import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'

/** Guards /admin: the operator token as bearer, compared in constant time over digests of equal length. */
export function addOperatorCheck(app: FastifyInstance, operatorToken: Secret): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(operatorToken.reveal())
  app.addHook('onRequest', async (request) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (timingSafeEqual(digest(given), expected)) return
    throw new AppError('OPERATOR_TOKEN_REQUIRED', 'Send the operator token: "Authorization: Bearer <operator token>".')
  })
}
