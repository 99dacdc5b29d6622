/** Leads that the org had before Panji. */
import { AppError } from '../../src/errors.ts'
import { type AdoptionWays, adoptionBy, type Candidate } from '../adoption.ts'
import type { Adoption, CrmField, OutgoingLead } from '../contract.ts'
import { changesOf, type FieldDecision } from '../field-ownership.ts'
import type { ZohoClient } from './client.ts'
import { type FoundRecord, findBy, findRecords } from './lookup.ts'
import { identityField } from './mapping.ts'
import { refusalOfCall, rowReplies } from './outcomes.ts'
import type { ZohoSettings } from './settings.ts'

const batchSize = 100

export interface AdoptParts {
  readonly client: ZohoClient
  readonly settings: ZohoSettings
  fieldsOf(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, CrmField>>
  decider(
    leads: readonly OutgoingLead[],
  ): Promise<(lead: OutgoingLead, record: FoundRecord) => FieldDecision<string | number>>
}

export function adoptionOf({ client, settings, fieldsOf, decider }: AdoptParts): Adoption | undefined {
  const ways: AdoptionWays = {
    rules: settings.match_on,
    async candidates(field, values, { rule, leads }) {
      // Before set-up no record stands for a lead, and none can be asked for it.
      const columns = [...Object.keys(rule), ...(await fieldsOf(leads)).keys()]
      const quotable = values.filter(isQuotable)
      const { records, mayBeMore } = await findBy(client, field, quotable, columns)
      if (mayBeMore) {
        const more = 'name first a field that few records share'
        throw new AppError('DESTINATION_INVALID', `match_on: Leads.${field} finds too many records; ${more}`)
      }
      return records.map(candidate)
    },
    async changesIn(leads) {
      const decide = await decider(leads)
      return (lead, record) => changesOf(decide(lead, record), record.values)
    },
    async read(claims) {
      const ids = [...new Set(claims.map(({ crmId }) => crmId))].filter((id) => /^\d{1,30}$/.test(id))
      const { records } = await findBy(client, 'id', ids, [identityField])
      return new Map(records.map((record) => [record.crmId, candidate(record)]))
    },
    async holders(externalIds) {
      const found = await findRecords(client, externalIds, await fieldsOf([]))
      return new Map([...found].map(([externalId, { crmId }]) => [externalId, crmId]))
    },
    async write(claims) {
      const refused = new Map<string, string>()
      for (let from = 0; from < claims.length; from += batchSize) {
        const some = claims.slice(from, from + batchSize)
        const data = some.map(({ externalId, crmId }) => ({ id: crmId, [identityField]: externalId }))
        const trigger = settings.triggers === 'off' ? { trigger: [] } : {}
        const { body } = await client.ask({ method: 'PUT', path: '/Leads', body: { data, ...trigger } })
        const replies = rowReplies(body, some.length)
        const whole = refusalOfCall(body)?.message
        some.forEach(({ externalId }, n) => {
          const reply = replies?.[n]
          if (reply?.status === 'success') return
          refused.set(externalId, reply?.message || whole || 'the CRM did not say what became of it')
        })
      }
      return refused
    },
  }
  return adoptionBy(ways)
}

const candidate = ({ crmId, values }: FoundRecord): Candidate => ({ crmId, values, identity: values[identityField] })

/** What the question's language could take for the end of a text is not asked for. */
const isQuotable = (text: string): boolean => text.length <= 200 && !/['"\\\p{Cc}]/u.test(text)
