/**
 * The webhook of the payment processor: receives signed notices and answers `{result}`. A notice that was seen before
 * is also answered with 200, because otherwise the processor would resend it for a day.
 */
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { eventOutcomes, recordForgery } from '../orders/payments/payment-events.ts'
import type { PaymentProcessor } from '../orders/payments/processor.ts'
import { eventOriginOf, receiveEvent } from '../orders/payments/receive-event.ts'
import type { Routes } from './route-context.ts'

const bodyBytesMax = 262_144
const signatureHeader = 'x-razorpay-signature'
const signatureShape = /^[\x21-\x7e]{1,256}$/

export const paymentRoutes =
  (processor: PaymentProcessor): Routes =>
  async (app, { db, queue }) => {
    const readEvent = async (body: string, signature: string | undefined) => {
      try {
        return processor.readEvent(body, signature)
      } catch (error) {
        if (error instanceof AppError) await recordForgery(db, processor.provider, error.message)
        throw error
      }
    }
    // The signature covers the raw bytes, so they are parsed after it is checked.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    // Bodies without a signature are not read.
    app.addHook('onRequest', async ({ headers }) => {
      if (typeof headers[signatureHeader] === 'string' && signatureShape.test(headers[signatureHeader])) return
      throw new AppError('WEBHOOK_SIGNATURE_INVALID', 'The notice carries no signature.')
    })
    app.post(
      '/webhooks/payments',
      {
        bodyLimit: bodyBytesMax,
        config: { public: true },
        // Only the processor calls it, and only where one is configured.
        schema: {
          hide: true,
          response: {
            200: z.object({ result: z.enum(eventOutcomes) }),
          },
        },
      },
      async (request) => {
        const signature = request.headers[signatureHeader]
        const body = typeof request.body === 'string' ? request.body : ''
        const event = await readEvent(body, typeof signature === 'string' ? signature : undefined)
        const eventOrigin = { ...eventOriginOf(processor), source: 'webhook' as const }
        const { outcome: result } = await receiveEvent(db, queue, eventOrigin, event)
        request.log.info({ requestId: request.id, result }, 'payment notice')
        return { result }
      },
    )
  }
