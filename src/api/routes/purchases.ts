/** Buying credits with money, and the invoices of it. */
import { z } from 'zod'
import { creditPacks } from '../../../config/sales.ts'
import { buyCredits } from '../../orders/buy-credits.ts'
import { checkoutStates, listCheckouts, readCheckout } from '../../orders/checkouts.ts'
import { invoicePdf } from '../../orders/invoices/invoice-pdf.ts'
import { type Invoice as Document, listInvoices, readInvoice } from '../../orders/invoices/read-invoices.ts'
import { splitTax } from '../../orders/payments/tax.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { keepAnswerOf } from '../hooks/idempotency.ts'
import { paging } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { buyerFields, Purchase, paise, shownPurchase } from './subscription-schemas.ts'

const Pack = z
  .object({
    id: z.string(),
    credits: z.number(),
    amount: paise('What is paid, tax included'),
    net: paise('Of it without tax'),
    tax: paise('Of it GST'),
    currency: z.literal('INR'),
    valid_days: z.number().describe('Days that the credits can be spent'),
  })
  .meta({ id: 'CreditPack' })
const PurchaseBody = z
  .strictObject({
    pack_id: z.string().max(100).describe('Id of a credit pack'),
    ...buyerFields,
  })
  .meta({ examples: [{ pack_id: creditPacks[0].id }] })
const Invoice = z
  .object({
    number: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    issued_at: timestamp(),
    against: z.string().nullable().describe('The invoice that a credit note takes back'),
    description: z.string(),
    sac: z.string().describe('Services accounting code'),
    place_of_supply: z.string().describe('Two digits of the state'),
    gstin: z.string().nullable().describe('Of the buyer'),
    net: paise('Taxable value'),
    cgst: paise('Central tax'),
    sgst: paise('State tax'),
    igst: paise('Integrated tax'),
    total: paise('All together'),
  })
  .meta({ id: 'Invoice' })

export const purchaseRoutes: Routes = async (app, { db, settings }) => {
  app.get(
    '/api/credits/packs',
    {
      schema: {
        operationId: 'listCreditPacks',
        tags: ['Account'],
        summary: 'Credits on sale',
        description: 'What packs of credits cost, GST included.',
        response: {
          200: z.object({
            data: z.array(Pack),
            online_payment: z.boolean().describe('Money can be taken here: a processor is configured, and who sells'),
          }),
        },
      },
    },
    async () => ({
      online_payment: settings.payments?.seller !== undefined,
      data: creditPacks.map(({ id, credits, amount, validDays }) => ({
        ...{ id, credits, amount, ...splitTax(amount) },
        ...{ currency: 'INR' as const, valid_days: validDays },
      })),
    }),
  )

  app.post(
    '/api/credits/purchase',
    {
      config: {
        idempotent: 'with-effect',
        scopes: ['order'],
        errors: [
          'NOT_FOUND',
          'QUOTA_EXCEEDED',
          'PAYMENT_UNAVAILABLE',
          'PAYMENT_KEY_REFUSED',
          'PAYMENT_LIMITED',
          'PAYMENT_REFUSED',
          'SELLER_MISSING',
        ],
      },
      schema: {
        operationId: 'purchaseCredits',
        tags: ['Account'],
        summary: 'Buy a pack of credits online',
        description:
          'The credits come with the payment. Where no processor is configured it is refused with the reason.',
        body: PurchaseBody,
        response: { 201: Purchase },
      },
    },
    async (request, reply) => {
      const { pack_id: packId, gstin, place_of_supply: placeOfSupply } = request.body
      const { accountId } = principalOf(request)
      const body = await buyCredits(
        db,
        settings.payments,
        { accountId, packId, gstin, placeOfSupply },
        async (tx, made) => {
          const answer = shownPurchase(made)
          await keepAnswerOf(tx, request, 201, answer)
          return answer
        },
      )
      return reply.code(201).send(body)
    },
  )

  app.get(
    '/api/credits/purchases',
    {
      schema: {
        operationId: 'listCreditPurchases',
        tags: ['Account'],
        summary: 'What you bought online, the newest first',
        description: 'Credits, plans and offers: those that wait for their payment, too.',
        querystring: z.object({
          status: z.enum(checkoutStates).optional().describe('Only purchases in this state'),
          ...paging(100),
        }),
        response: {
          200: z.object({ data: z.array(Purchase), total: z.number(), page: z.number(), limit: z.number() }),
        },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { checkouts, total } = await listCheckouts(db, principalOf(request).accountId, request.query)
      return { data: checkouts.map(shownPurchase), total, page, limit }
    },
  )

  app.get(
    '/api/credits/purchases/:id',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'getCreditPurchase',
        tags: ['Account'],
        summary: 'What became of a purchase',
        description: 'pending until the processor tells of its payment.',
        params: z.object({ id: uuid('Of the purchase').meta({ examples: [exampleIds.order] }) }),
        response: { 200: Purchase },
      },
    },
    async (request) => shownPurchase(await readCheckout(db, principalOf(request).accountId, request.params.id)),
  )

  app.get(
    '/api/invoices',
    {
      schema: {
        operationId: 'listInvoices',
        tags: ['Account'],
        summary: 'Your invoices and credit notes',
        description: 'Of everything that was paid in money, the newest first.',
        querystring: z.object({ ...paging(100) }),
        response: { 200: z.object({ data: z.array(Invoice), total: z.number(), page: z.number(), limit: z.number() }) },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { invoices, total } = await listInvoices(db, principalOf(request).accountId, { page, limit })
      return { data: invoices.map(documented), total, page, limit }
    },
  )

  app.get(
    '/api/invoices/:number/pdf',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'getInvoicePdf',
        tags: ['Account'],
        summary: 'An invoice or credit note as PDF',
        description: 'One page, as it was issued.',
        params: z.object({
          number: z
            .string()
            .max(100)
            .meta({ description: 'Number of the document', examples: ['PI-2627-0000001'] }),
        }),
        response: {
          200: { description: 'The document', content: { 'application/pdf': { schema: z.unknown() } } },
        },
      },
    },
    async (request, reply) => {
      const invoice = await readInvoice(db, principalOf(request).accountId, request.params.number)
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${invoice.number}.pdf"`)
        .send(await invoicePdf(invoice))
    },
  )
}

const documented = ({
  issuedAt,
  placeOfSupply,
  seller: _seller,
  buyer: _buyer,
  ...rest
}: Document): z.output<typeof Invoice> => ({
  ...rest,
  issued_at: issuedAt.toISOString(),
  place_of_supply: placeOfSupply,
})
