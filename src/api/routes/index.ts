/** Every route file of the API, one line each; nothing is found by scanning folders. */
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../server-context.ts'
import { accessRoutes } from './access.ts'
import { adminRoutes } from './admin.ts'
import { adminGrantRoutes } from './admin-grants.ts'
import { adminKeyRoutes, adminOperatorRoutes } from './admin-keys.ts'
import { adminListRoutes } from './admin-lists.ts'
import { adminRunRoutes } from './admin-runs.ts'
import { authRoutes } from './auth.ts'
import { crmRoutes } from './crm.ts'
import { detailsRoutes } from './details.ts'
import { feedSummaryRoutes } from './feed-summary.ts'
import { feedRoutes } from './feeds.ts'
import { filterRoutes } from './filters.ts'
import { historyRoutes } from './history.ts'
import { keyRoutes } from './keys.ts'
import { offerRoutes } from './offers.ts'
import { orderRoutes } from './orders.ts'
import { referenceRoutes } from './reference.ts'
import { screenerRoutes } from './screener.ts'
import { screenerLanguageRoutes } from './screener-language.ts'
import { adminTrailRoutes, trailRoutes } from './trail.ts'
import { userRoutes } from './users.ts'
import { watchlistRoutes } from './watchlist.ts'

/** Behind authentication, limits and idempotency. */
export async function registerDeveloperRoutes(app: FastifyInstance, context: ServerContext): Promise<void> {
  await app.register(authRoutes, context)
  await app.register(userRoutes, context)
  await app.register(keyRoutes, context)
  await app.register(accessRoutes, context)
  await app.register(offerRoutes, context)
  await app.register(feedRoutes, context)
  await app.register(feedSummaryRoutes, context)
  await app.register(detailsRoutes, context)
  await app.register(historyRoutes, context)
  await app.register(screenerRoutes, context)
  await app.register(screenerLanguageRoutes, context)
  await app.register(filterRoutes, context)
  await app.register(referenceRoutes, context)
  await app.register(watchlistRoutes, context)
  await app.register(orderRoutes, context)
  await app.register(crmRoutes, context)
  await app.register(trailRoutes, context)
}

/** Behind the operator token. */
export async function registerAdminRoutes(app: FastifyInstance, context: ServerContext): Promise<void> {
  await app.register(adminRoutes, context)
  await app.register(adminListRoutes, context)
  await app.register(adminRunRoutes, context)
  await app.register(adminKeyRoutes, context)
  await app.register(adminGrantRoutes, context)
  await app.register(adminOperatorRoutes, context)
  await app.register(adminTrailRoutes, context)
}
