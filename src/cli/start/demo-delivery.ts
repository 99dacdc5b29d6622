/** Adds every sandbox CRM as a destination of the demo account and delivers the sample order into each. */
import { setTimeout as delay } from 'node:timers/promises'
import { listDestinations } from '../../deliver/destinations/destination-view.ts'
import { addDestination, updateDestination } from '../../deliver/destinations/destinations.ts'
import { readPush } from '../../deliver/push/read-push.ts'
import { requestPush } from '../../deliver/push/request-push.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CommandContext } from '../settings.ts'
import type { Runtime } from './runtime.ts'

export async function deliverToSandboxes(
  context: CommandContext,
  { db, secretKey }: OpenInstance,
  { queue, sandboxes }: Runtime,
  { userId, orderId }: { readonly userId: string; readonly orderId: string },
): Promise<void> {
  if (!sandboxes) return
  const present = await listDestinations({ db, connectors: context.connectors, secretKey }, userId)
  for (const crm of sandboxes.crms) {
    const name = nameOf(crm)
    const destination =
      present.find((each) => each.name === name) ??
      (await addDestination(db, context.connectors, secretKey, {
        accountId: userId,
        connector: crm,
        name,
        settings: sandboxes.settings(crm),
      }))
    const { pushId } = await db.transaction((tx) =>
      requestPush(tx, queue, { orderId, destinationId: destination.destination_id }),
    )
    await untilFinished(context, db, pushId)
  }
}

/** The sandboxes may listen on another port than at the last start. */
export async function renewDemoSettings(
  context: CommandContext,
  { db, secretKey }: OpenInstance,
  { sandboxes }: Runtime,
  userId: string,
): Promise<void> {
  const parts = { db, connectors: context.connectors, secretKey }
  const present = await listDestinations(parts, userId)
  for (const crm of sandboxes?.crms ?? []) {
    const destination = present.find(({ name }) => name === nameOf(crm))
    if (destination) await updateDestination(parts, destination.destination_id, { settings: sandboxes?.settings(crm) })
  }
}

const nameOf = (crm: string) => `${crm} sandbox`

async function untilFinished(context: CommandContext, db: OpenInstance['db'], pushId: string): Promise<void> {
  for (;;) {
    const push = await readPush(db, pushId)
    if (push.status === 'finished') return
    if (push.held) throw new Error(`the delivery is held up: ${push.failure?.message ?? 'no reason given'}`)
    await delay(100, undefined, { signal: context.signal })
  }
}
