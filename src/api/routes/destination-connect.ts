/** /api/crm/destinations/connect: a CRM is connected at its own sign-in page, and credentials that were revoked are renewed there. */
import { z } from 'zod'
import { connectExample } from '../../../config/delivery-example.ts'
import { beginConsent } from '../../deliver/connect/begin-consent.ts'
import { finishConsent } from '../../deliver/connect/finish-consent.ts'
import { timestamp, uri } from '../formats.ts'
import { idText, plainText } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { customerShare, Destination, deliver, destinationName, destinationSettings } from './destination-schemas.ts'

const tags = ['CRM']

const BeginBody = z
  .strictObject({
    type: plainText(40).describe('Kind of CRM, of a new destination').optional(),
    name: destinationName.optional(),
    settings: destinationSettings
      .describe('Of the connector, without credentials; client_id and client_secret name an app of your own')
      .optional(),
    deliver: deliver.optional(),
    customer_share: customerShare.optional(),
    destination_id: idText('In place of type and name: the destination whose credentials are renewed').optional(),
  })
  .meta({ examples: [connectExample] })

const Begun = z
  .object({
    authorize_url: uri('Open it in a browser that is signed in to the CRM, and allow it there'),
    expires_at: timestamp('at which the sign-in is over'),
  })
  .meta({ id: 'BegunConnect' })

const FinishBody = z
  .strictObject({
    word: z
      .string()
      .regex(/^[\w-]{43}$/, 'must be the word that the browser showed')
      .describe('That the browser showed at the end'),
  })
  .meta({ examples: [{ word: 'wBZ0u1Vgk3cUu7nXyTn1SpM0s2oQkB4dDgqkXrJm0fA' }] })

export const destinationConnectRoutes: Routes = async (app, { db, delivery }) => {
  const { talks, ...rest } = delivery
  const parts = { db, ...rest }

  app.post(
    '/api/crm/destinations/connect',
    {
      config: {
        stores: true,
        scopes: ['deliver'],
        errors: ['CONNECT_UNAVAILABLE', 'DESTINATION_INVALID', 'CONFLICT', 'NOT_FOUND'],
      },
      schema: {
        operationId: 'beginConnect',
        tags,
        summary: 'Begin to connect a CRM at its own sign-in page',
        description:
          'For a new destination, or for one whose credentials were revoked. A person opens authorize_url and allows it; the browser ' +
          'then shows a word, which the session that began it sends to POST …/connect/finish within ten minutes.',
        body: BeginBody,
        response: { 201: Begun },
      },
    },
    async (request, reply) => {
      const { type: connector, name, settings, destination_id: destinationId } = request.body
      const { deliver: when, customer_share: share } = request.body
      const { accountId, sessionId } = principalOf(request)
      const target = { connector, name, settings, deliver: when, customerShare: share, destinationId }
      const asked = { accountId, begunBy: sessionId, ...target }
      return reply.code(201).send(await beginConsent(parts, asked))
    },
  )

  app.post(
    '/api/crm/destinations/connect/finish',
    {
      config: {
        scopes: ['deliver'],
        errors: [
          'NOT_FOUND',
          'DESTINATION_INVALID',
          'CONFLICT',
          'QUOTA_EXCEEDED',
          'CRM_UNAUTHORIZED',
          'CRM_UNAVAILABLE',
          'CONNECT_UNAVAILABLE',
          'TOO_MANY_CONCURRENT',
        ],
      },
      schema: {
        operationId: 'finishConnect',
        tags,
        summary: 'Finish it with the word that the browser showed',
        description:
          'The CRM says whose account it is before anything is kept. A renewal stays the same destination, with its ledger, and must ' +
          'lead into the same account of the CRM.',
        body: FinishBody,
        response: { 201: Destination },
      },
    },
    async (request, reply) => {
      const { accountId, sessionId } = principalOf(request)
      const given = { accountId, begunBy: sessionId, word: request.body.word }
      return reply.code(201).send(await talks.run(request, (signal) => finishConsent(parts, given, signal)))
    },
  )
}
