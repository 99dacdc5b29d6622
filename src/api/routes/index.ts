/** Every route file of the API, one line each; nothing is found by scanning folders. */
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../server-context.ts'
import { accessRoutes } from './access.ts'
import { adminRoutes } from './admin.ts'
import { adminDeliveryRoutes } from './admin-deliveries.ts'
import { adminGrantRoutes } from './admin-grants.ts'
import { adminIntakeRoutes } from './admin-intake.ts'
import { adminJobRoutes } from './admin-jobs.ts'
import { adminKeyRoutes, adminOperatorRoutes } from './admin-keys.ts'
import { adminLedgerRoutes } from './admin-ledger.ts'
import { adminListRoutes } from './admin-lists.ts'
import { adminOrderRoutes } from './admin-orders.ts'
import { adminOverviewRoutes } from './admin-overview.ts'
import { adminPaymentRoutes } from './admin-payments.ts'
import { adminQualityRoutes } from './admin-quality.ts'
import { adminRefundRoutes } from './admin-refunds.ts'
import { adminRejectRoutes } from './admin-rejects.ts'
import { adminRunEventRoutes } from './admin-run-events.ts'
import { adminRunRoutes } from './admin-runs.ts'
import { adminSandboxRoutes } from './admin-sandbox.ts'
import { adminScheduleRoutes } from './admin-schedules.ts'
import { adminScopeRoutes } from './admin-scopes.ts'
import { adminStorageRoutes } from './admin-storage.ts'
import { adminUploadRoutes } from './admin-uploads.ts'
import { adminUsageRoutes } from './admin-usage.ts'
import { adminViewRoutes } from './admin-views.ts'
import { appSessionRoutes } from './app-session.ts'
import { authRoutes } from './auth.ts'
import { type ConsoleContext, consoleSessionRoutes } from './console-session.ts'
import { creditRoutes } from './credits.ts'
import { crmRoutes } from './crm.ts'
import { deliveryRoutes } from './deliveries.ts'
import { deliveryLogRoutes } from './delivery-log.ts'
import { destinationConnectRoutes } from './destination-connect.ts'
import { destinationMappingRoutes } from './destination-mapping.ts'
import { destinationRoutes } from './destinations.ts'
import { detailsRoutes } from './details.ts'
import { exportRoutes } from './exports.ts'
import { feedSummaryRoutes } from './feed-summary.ts'
import { feedRoutes } from './feeds.ts'
import { filterRoutes } from './filters.ts'
import { historyRoutes } from './history.ts'
import { keyRoutes } from './keys.ts'
import { mailRoutes } from './mails.ts'
import { offerRoutes } from './offers.ts'
import { orderLifeRoutes } from './order-life.ts'
import { orderRoutes } from './orders.ts'
import { planRoutes } from './plans.ts'
import { purchaseRoutes } from './purchases.ts'
import { referenceRoutes } from './reference.ts'
import { savedScreenerRoutes } from './saved-screeners.ts'
import { screenerRoutes } from './screener.ts'
import { screenerLanguageRoutes } from './screener-language.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { suppressionRoutes } from './suppressions.ts'
import { adminTrailRoutes, trailRoutes } from './trail.ts'
import { userRoutes } from './users.ts'
import { watchlistRoutes } from './watchlist.ts'
import { webhookRoutes } from './webhooks.ts'

/**
 * Behind authentication, limits and idempotency.
 * @param context whose database shows the rows of the caller's account alone.
 * @param open the same with the rows of all: for logins, where nobody is known yet, and for what reads the registers and
 * its own limits, which would pay for a transaction around each statement.
 */
export async function registerDeveloperRoutes(
  app: FastifyInstance,
  context: ServerContext,
  open: ServerContext,
): Promise<void> {
  await app.register(authRoutes, open)
  await app.register(appSessionRoutes, open)
  await app.register(userRoutes, context)
  await app.register(keyRoutes, context)
  await app.register(accessRoutes, context)
  await app.register(creditRoutes, context)
  await app.register(purchaseRoutes, context)
  await app.register(planRoutes, context)
  await app.register(subscriptionRoutes, context)
  await app.register(offerRoutes, context)
  await app.register(feedRoutes, open)
  await app.register(feedSummaryRoutes, open)
  await app.register(detailsRoutes, open)
  await app.register(historyRoutes, open)
  await app.register(screenerRoutes, context)
  await app.register(savedScreenerRoutes, context)
  await app.register(screenerLanguageRoutes, open)
  await app.register(filterRoutes, open)
  await app.register(referenceRoutes, open)
  await app.register(watchlistRoutes, context)
  await app.register(orderRoutes, context)
  await app.register(orderLifeRoutes, context)
  await app.register(exportRoutes, context)
  await app.register(crmRoutes, context)
  await app.register(destinationRoutes, context)
  await app.register(destinationConnectRoutes, context)
  await app.register(destinationMappingRoutes, context)
  await app.register(deliveryRoutes, context)
  await app.register(deliveryLogRoutes, context)
  await app.register(webhookRoutes, context)
  await app.register(mailRoutes, context)
  await app.register(trailRoutes, context)
}

/** Behind the operator's token or session. */
export async function registerAdminRoutes(app: FastifyInstance, context: ConsoleContext): Promise<void> {
  await app.register(suppressionRoutes, context)
  await app.register(adminRoutes, context)
  await app.register(adminListRoutes, context)
  await app.register(adminRunRoutes, context)
  await app.register(adminRunEventRoutes, context)
  await app.register(adminIntakeRoutes, context)
  await app.register(adminUploadRoutes, context)
  await app.register(adminScheduleRoutes, context)
  await app.register(adminScopeRoutes, context)
  await app.register(adminJobRoutes, context)
  await app.register(adminStorageRoutes, context)
  await app.register(adminUsageRoutes, context)
  await app.register(adminViewRoutes, context)
  await app.register(adminRejectRoutes, context)
  await app.register(adminQualityRoutes, context)
  await app.register(adminDeliveryRoutes, context)
  await app.register(adminSandboxRoutes, context)
  await app.register(adminKeyRoutes, context)
  await app.register(adminGrantRoutes, context)
  await app.register(adminOperatorRoutes, context)
  await app.register(adminLedgerRoutes, context)
  await app.register(adminPaymentRoutes, context)
  await app.register(adminRefundRoutes, context)
  await app.register(adminOrderRoutes, context)
  await app.register(adminTrailRoutes, context)
  await app.register(consoleSessionRoutes, context)
  await app.register(adminOverviewRoutes, context)
}
