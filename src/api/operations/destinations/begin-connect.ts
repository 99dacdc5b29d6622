import { z } from 'zod'
import { connectExample } from '../../../../config/delivery-example.ts'
import { beginConsent } from '../../../deliver/connect/begin-consent.ts'
import { timestamp, uri } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { idText, plainText } from '../../parameters.ts'
import {
  destinationName,
  destinationSettings,
  saidTerms,
  settingsBodyBytesMax,
  termsIn,
} from './destination-schemas.ts'

const BeginBody = z
  .strictObject({
    type: plainText(40).describe('Kind of CRM, for a new destination').optional(),
    name: destinationName.optional(),
    settings: destinationSettings
      .describe('Settings of the connector, without credentials; client_id and client_secret name an app of your own')
      .optional(),
    ...saidTerms,
    destination_id: idText('Instead of type and name: the destination whose credentials are renewed').optional(),
  })
  .meta({ examples: [connectExample] })
const Begun = z
  .object({
    authorize_url: uri('Open it in a browser that is signed in to the CRM, and allow access there'),
    expires_at: timestamp('at which the sign-in expires'),
  })
  .meta({ id: 'BegunConnect' })

export default operation({
  id: 'beginConnect',
  method: 'POST',
  path: '/api/crm/destinations/connect',
  summary: 'Start connecting a CRM at its sign-in page',
  description:
    'For a new destination, or for one whose credentials were revoked. A person opens authorize_url and allows access; the browser ' +
    'then shows a code, which the session that started it sends to POST …/connect/finish within ten minutes.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: ['CONNECT_UNAVAILABLE', 'DESTINATION_INVALID', 'CONFLICT', 'NOT_FOUND'],
  bodyBytesMax: settingsBodyBytesMax,
  body: BeginBody,
  reply: { 201: Begun },
  example: {
    authorize_url: 'https://crm.example.in/oauth2/authorize?response_type=code&client_id=panji',
    expires_at: '2026-11-23T17:16:38.456Z',
  },
  handle: async ({ delivery }, request, { accountId, sessionId }) => {
    const { type: connector, name, settings, destination_id: destinationId } = request.body
    const target = { connector, name, settings, terms: termsIn(request.body), destinationId }
    const consent = { accountId, begunBy: sessionId, ...target }
    return await beginConsent(delivery, consent)
  },
})
