/** /api/crm/destinations: an account looks after the CRMs that its leads go into. */
import type { Connector, SettingField } from '../../../connectors/contract.ts'
import { listDestinations, showDestination } from '../../deliver/destination-view.ts'
import {
  addDestination,
  pauseDestination,
  removeDestination,
  resumeDestination,
  updateDestination,
} from '../../deliver/destinations.ts'
import { testDestination } from '../../deliver/test-destination.ts'
import { noBody } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import {
  Destination,
  DestinationChangeBody,
  DestinationKinds,
  DestinationPath,
  Destinations,
  DestinationTest,
  NewDestinationBody,
} from './destination-schemas.ts'

const tags = ['CRM']
const path = '/api/crm/destinations/:destination_id'

const asForm = ({ initial, ...field }: SettingField) => ({ ...field, initial: initial ?? null })

export const destinationRoutes: Routes = async (app, { db, delivery }) => {
  const { connectors, secretKey, connect } = delivery
  const ownPageOf = ({ name, webConnect }: Connector) =>
    webConnect && connect.publicUrl !== undefined
      ? { has_app: connect.apps.some(({ connector }) => connector === name), fields: webConnect.fields.map(asForm) }
      : null
  const parts = { db, connectors, secretKey }

  app.get(
    '/api/crm/kinds',
    {
      schema: {
        operationId: 'listDestinationKinds',
        tags,
        summary: 'Kinds of CRM that can be connected',
        description:
          'With what each asks for by each way to sign in; whatever else its manual names goes into settings, too.',
        response: { 200: DestinationKinds },
      },
    },
    async () => ({
      data: connectors.map((connector) => {
        const { name, label = name, signIns = [] } = connector
        const ways = signIns.map((way) => ({ ...way, fixed: { ...way.fixed }, fields: way.fields.map(asForm) }))
        return { type: name, label, sign_ins: ways, own_page: ownPageOf(connector) }
      }),
    }),
  )

  app.get(
    '/api/crm/destinations',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'listDestinations',
        tags,
        summary: 'Your destinations, the oldest first',
        description: 'The CRMs that leads go into, with what holds one up. Secrets of their settings are never shown.',
        response: { 200: Destinations },
      },
    },
    async (request) => ({ data: await listDestinations(parts, principalOf(request).accountId) }),
  )

  app.post(
    '/api/crm/destinations',
    {
      config: { scopes: ['deliver'], errors: ['DESTINATION_INVALID', 'CONFLICT', 'QUOTA_EXCEEDED', 'NOT_FOUND'] },
      schema: {
        operationId: 'createDestination',
        tags,
        summary: 'Connect a CRM',
        description: 'Checks the settings and seals them; nobody is called yet. Test it next.',
        body: NewDestinationBody,
        response: { 201: Destination },
      },
    },
    async (request, reply) => {
      const { type: connector, customer_share: customerShare, batch_size: batchSize, ...more } = request.body
      const { accountId } = principalOf(request)
      const given = { accountId, connector, customerShare, batchSize, ...more }
      return reply.code(201).send(await addDestination(db, connectors, secretKey, given))
    },
  )

  app.get(
    path,
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'getDestination',
        tags,
        summary: 'One destination',
        description: 'With its state and, where it is broken, the reason.',
        params: DestinationPath,
        response: { 200: Destination },
      },
    },
    async (request) => showDestination(parts, request.params.destination_id, principalOf(request).accountId),
  )

  app.patch(
    path,
    {
      config: { scopes: ['deliver'], errors: ['DESTINATION_INVALID', 'CONFLICT'] },
      schema: {
        operationId: 'updateDestination',
        tags,
        summary: 'Renew credentials, name, times of delivery, share of calls or batch size',
        description:
          'The destination stays the same one, with its ledger: what waited goes on with the new credentials by itself.',
        params: DestinationPath,
        body: DestinationChangeBody,
        response: { 200: Destination },
      },
    },
    async (request) => {
      const { customer_share: customerShare, batch_size: batchSize, ...more } = request.body
      const { accountId } = principalOf(request)
      const change = { ...more, customerShare, batchSize }
      return updateDestination(parts, request.params.destination_id, change, accountId)
    },
  )

  app.post(
    `${path}/test`,
    {
      config: {
        scopes: ['deliver'],
        errors: ['DESTINATION_INVALID', 'CRM_UNAUTHORIZED', 'CRM_UNAVAILABLE', 'TOO_MANY_CONCURRENT'],
      },
      schema: {
        operationId: 'testDestination',
        tags,
        summary: 'Sign in to the CRM and check its fields',
        description:
          'Creates the fields that deliveries need where it may, else says word for word what an administrator must do.',
        params: DestinationPath,
        body: noBody,
        response: { 200: DestinationTest },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { destination_id: id } = request.params
      const { ok, checks } = await delivery.talks.run(request, (signal) =>
        testDestination(parts, id, signal, accountId),
      )
      return { ok, checks: [...checks] }
    },
  )

  for (const { verb, act, summary, description } of [
    {
      verb: 'pause',
      act: pauseDestination,
      summary: 'Hold deliveries back',
      description: 'Nothing is sent until it is resumed; what is ordered meanwhile waits.',
    },
    {
      verb: 'resume',
      act: resumeDestination,
      summary: 'Let deliveries go on',
      description: 'What waits is sent; a broken destination is tried at once.',
    },
  ] as const) {
    app.post(
      `${path}/${verb}`,
      {
        config: { scopes: ['deliver'] },
        schema: {
          operationId: `${verb}Destination`,
          tags,
          summary,
          description,
          params: DestinationPath,
          body: noBody,
          response: { 200: Destination },
        },
      },
      async (request) => act(parts, request.params.destination_id, principalOf(request).accountId),
    )
  }

  app.delete(
    path,
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'deleteDestination',
        tags,
        summary: 'Remove a destination',
        description:
          'Its credentials are forgotten. A later destination into the same CRM account finds what was delivered there.',
        params: DestinationPath,
        body: noBody,
        response: { 200: Destination },
      },
    },
    async (request) => removeDestination(parts, request.params.destination_id, principalOf(request).accountId),
  )
}
