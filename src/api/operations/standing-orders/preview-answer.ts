/** A preview within the limits of expensive reads, for a saved standing order and for a draft. */
import type { FastifyRequest } from 'fastify'
import { accountDb } from '../../../db/account-scope.ts'
import { type Previewed, previewStanding } from '../../../standing/preview.ts'
import type { Shown } from '../../operation.ts'
import { principalOf, type RouteContext } from '../../route-context.ts'
import type { StandingPreview } from './preview-schemas.ts'

/** @param day whose records are shown. */
export async function answerPreview(
  { expensiveReads }: Pick<RouteContext, 'expensiveReads'>,
  request: FastifyRequest,
  order: Previewed,
  day: string | undefined,
): Promise<Shown<typeof StandingPreview>> {
  const { isEnterprise } = principalOf(request)
  // Its grants and its watchlist decide what it finds, and are only readable within the account's scope.
  return expensiveReads.run(request, (db, timeoutMs) =>
    previewStanding(accountDb(db), order, { isEnterprise, day, timeoutMs }),
  )
}
