/**
 * Campaign members: created singly, refused a second time. The refusal of a user without the permission has an
 * invented message.
 */
import { campaigns } from './campaigns.ts'
import { describeOf } from './fields.ts'
import { type RowResult, refused } from './rows.ts'
import type { Org, Values } from './state.ts'

export const memberObject = 'CampaignMember'

const isSame = (one: string, other: unknown) => typeof other === 'string' && one.slice(0, 15) === other.slice(0, 15)

export const describeMember = ({ mayJoin }: Org) =>
  describeOf(memberObject, [], { createable: mayJoin, updateable: mayJoin, deletable: mayJoin })

export const membersOf = (org: Org, campaign: string): readonly string[] => Object.values(org.members[campaign] ?? {})

/** POST composite/sobjects with rows of this object. */
export function makeMember(org: Org, { CampaignId, LeadId, ContactId, ...others }: Values): RowResult {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    return refused('INVALID_FIELD', `No such column '${unknown}' on sobject of type ${memberObject}`)
  if (!org.mayJoin) return refused('INSUFFICIENT_ACCESS_OR_READONLY', 'insufficient access rights on object id')
  const campaign = campaigns.find(({ id }) => isSame(id, CampaignId))
  if (campaign === undefined) return refused('INVALID_CROSS_REFERENCE_KEY', 'Campaign ID: invalid cross reference id')
  const [object, given] = ContactId ? ['Contact', ContactId] : ['Lead', LeadId]
  const record = org.find(object, 'Id', given)[0]
  if (record === undefined) return refused('INVALID_CROSS_REFERENCE_KEY', `${object} ID: invalid cross reference id`)
  if (record.values['IsConverted'] === true)
    return refused('CANNOT_UPDATE_CONVERTED_LEAD', 'cannot reference converted lead')
  if (membersOf(org, campaign.id).includes(record.id)) return refused('DUPLICATE_VALUE', 'Already a campaign member.')
  const id = org.newId(memberObject)
  org.members[campaign.id] = { ...org.members[campaign.id], [id]: record.id }
  return { id, success: true, errors: [], created: true }
}
