/** /api/crm: plans and pushes of an order, and what became of each lead in each CRM. */
import { approvePlan } from '../../deliver/approve-plan.ts'
import { listDeliveries, readDelivery } from '../../deliver/list-deliveries.ts'
import { readDestination } from '../../deliver/open-destination.ts'
import { planPush } from '../../deliver/plan-push.ts'
import { readPush } from '../../deliver/read-push.ts'
import { signedReceipt } from '../../deliver/receipts.ts'
import { requestPush } from '../../deliver/request-push.ts'
import { retryDeliveries } from '../../deliver/retry.ts'
import type { ErrorCode } from '../../errors.ts'
import { noBody } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import {
  DeliveryPage,
  DeliveryPath,
  DeliveryQuery,
  deliveryRow,
  OrderPath,
  Plan,
  PlanBody,
  Push,
  PushBody,
  ReceiptFile,
  Retried,
  RetryBody,
} from './delivery-schemas.ts'
import { ownRecordUrl, SandboxLink, sandboxPagesOf } from './sandbox-links.ts'

const tags = ['CRM']
const talkErrors: readonly ErrorCode[] = [
  'DESTINATION_INVALID',
  'LEADS_NOT_READY',
  'CRM_UNAUTHORIZED',
  'CRM_UNAVAILABLE',
  'TOO_MANY_CONCURRENT',
  'CONFLICT',
]

export const deliveryRoutes: Routes = async (app, { db, queue, delivery, settings }) => {
  const { connectors, secretKey } = delivery
  const parts = { db, connectors, secretKey }

  app.post(
    '/api/crm/orders/:order_id/plan',
    {
      config: { scopes: ['deliver'], errors: talkErrors },
      schema: {
        operationId: 'planPush',
        tags,
        summary: 'What a push would do, lead by lead',
        description:
          'Reads the CRM and writes nothing: create, update with each field before and after, adopt with the record that you had before, ' +
          'unchanged, conflict, or reject with its reason. The hash stands for the whole plan. 409 `LEADS_NOT_READY` while the leads of the ' +
          'order are still being built.',
        params: OrderPath,
        body: PlanBody,
        response: { 200: Plan },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const asked = { orderId: request.params.order_id, destinationId: request.body.destination_id }
      const plan = await delivery.talks.run(request, (signal) => planPush(parts, asked, signal, accountId))
      return { ...plan, rows: plan.rows.map((row) => ({ ...row })) }
    },
  )

  app.post(
    '/api/crm/orders/:order_id/push',
    {
      config: { idempotent: true, scopes: ['deliver'], errors: talkErrors },
      schema: {
        operationId: 'pushOrder',
        tags,
        summary: 'Deliver an order into a CRM',
        description:
          'Says what the CRM is to hold; the delivery goes on by itself, through outages and pauses. Pushing again writes nothing that ' +
          'is there. With the hash of a plan it happens as planned, or is refused: 409 where the CRM or the data has moved, and where the plan ' +
          'adopts records that you had before and `adopt` does not say whether they may be taken.',
        params: OrderPath,
        body: PushBody,
        response: { 201: Push },
      },
    },
    async (request, reply) => {
      const { accountId } = principalOf(request)
      const { destination_id: destinationId, hash, adopt } = request.body
      await readDestination(db, destinationId, accountId)
      const asked = { orderId: request.params.order_id, destinationId }
      if (hash !== undefined) {
        await delivery.talks.run(request, (signal) => approvePlan(parts, { ...asked, hash, adopt }, signal))
      }
      const approved = hash !== undefined
      const { pushId } = await db.transaction((tx) => requestPush(tx, queue, { ...asked, approved }))
      const { status, counts } = await readPush(db, pushId)
      const { destination: destination_id, ...more } = counts
      return reply.code(201).send({ push_id: pushId, destination_id, status, ...more })
    },
  )

  app.get(
    '/api/crm/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'What became of your leads in your CRMs, the newest first',
        description:
          "One row per lead and destination, with the CRM's own code, field and sentence, and the record's page there.",
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
      },
    },
    async (request) => {
      const { order_id: orderId, destination_id: destinationId, outcome, record, page, limit } = request.query
      const { accountId } = principalOf(request)
      const { deliveries, total } = await listDeliveries(db, {
        ...{ accountId, orderId, destinationId, outcome, record },
        ...{ limit, offset: (page - 1) * limit },
      })
      return { data: deliveries.map(deliveryRow), total, page, limit }
    },
  )

  app.get(
    '/api/crm/deliveries/:delivery_id/receipt',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'getReceipt',
        tags,
        summary: 'The signed receipt of a delivery',
        description:
          'File and run that the record came from, hash of what was sent, record in the CRM, time, and the transfer that paid for it; ' +
          '`panji receipt verify` verifies it offline. 409 before the CRM has acknowledged the lead.',
        params: DeliveryPath,
        response: { 200: ReceiptFile },
      },
    },
    async (request) => {
      const { delivery_id: deliveryId } = request.params
      const { receipt, jws, key } = await signedReceipt(db, secretKey, deliveryId, principalOf(request).accountId)
      return { receipt: { ...receipt }, jws, key: { kty: 'OKP', crv: 'Ed25519', x: String(key.x) } as const }
    },
  )

  app.post(
    '/api/crm/deliveries/retry',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'retryDeliveries',
        tags,
        summary: 'Ask the CRMs again for what they refused',
        description: 'All that was refused or waits, or that of one order or destination.',
        body: RetryBody,
        response: { 200: Retried },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { order_id: orderId, destination_id: destinationId } = request.body ?? {}
      return {
        retried: await db.transaction((tx) => retryDeliveries(tx, queue, { accountId, orderId, destinationId })),
      }
    },
  )

  app.post(
    '/api/crm/deliveries/:delivery_id/retry',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'retryDelivery',
        tags,
        summary: 'Send one lead again',
        description:
          'Refused, waiting or delivered: what the CRM holds already is not written, and a record that somebody deleted there is made anew.',
        params: DeliveryPath,
        body: noBody,
        response: { 200: Retried },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { delivery_id: deliveryId } = request.params
      await readDelivery(db, deliveryId, accountId)
      return { retried: await db.transaction((tx) => retryDeliveries(tx, queue, { accountId, deliveryId })) }
    },
  )

  app.post(
    '/api/crm/deliveries/:delivery_id/sandbox',
    {
      schema: {
        operationId: 'openDeliverySandbox',
        tags,
        summary: "A link to a delivered record's page in a sandbox CRM",
        description:
          'It lets one browser read that page alone, once and within a minute. For leads that went into a sandbox CRM; that of a real ' +
          'CRM is at `crm_url`.',
        params: DeliveryPath,
        body: noBody,
        response: { 200: SandboxLink },
      },
    },
    async (request) => {
      const pages = sandboxPagesOf(settings)
      const { crm_url: address } = await readDelivery(db, request.params.delivery_id, principalOf(request).accountId)
      return { url: ownRecordUrl(pages, address, false) }
    },
  )
}
