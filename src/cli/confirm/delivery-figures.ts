/** What deliveries and notifications lose. */
import { isUuid } from '../../domain/uuid.ts'
import type { Figures } from './figures.ts'

export const ofDestination: Figures = async ({ db, args: [id = ''] }) => {
  if (!isUuid(id)) return undefined
  const [found] = await db.query<{ name: string; connector: string; status: string; email: string }>(
    `SELECT name, connector, status, email FROM deliver.destination JOIN access.account USING (account_id)
     WHERE destination_id = $1 AND status <> 'removed'`,
    [id],
  )
  return (
    found &&
    `Destination ${found.name} (${found.connector}, ${found.status}) of ${found.email}: its settings are deleted, and deliveries to it stop.`
  )
}

export const ofWebhook: Figures = async ({ db, args: [id = ''] }) => {
  if (!isUuid(id)) return undefined
  const [found] = await db.query<{ url: string; email: string }>(
    `SELECT url, email FROM deliver.webhook JOIN access.account USING (account_id)
     WHERE webhook_id = $1 AND removed_at IS NULL`,
    [id],
  )
  return found && `Webhook ${found.url} of ${found.email}: its secret is deleted, and it receives no more events.`
}
