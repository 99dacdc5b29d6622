/**
 * Information about the org, its user and permissions: read by the vendor's command line before it deploys and when
 * it assigns a permission set, and to find out whether records of other owners can be changed.
 */
import { campaignRecords } from './campaigns.ts'
import { type OrgPerson, people, queue, userId } from './people.ts'
import { heldBy, type Org, type OrgRecord, type Values } from './state.ts'

const userOf = ({ name, username, email, isActive }: OrgPerson): Values => ({
  ...{ Username: username, LastName: name, FirstName: null, Name: name, Alias: name.toLowerCase(), Email: email },
  ...{ TimeZoneSidKey: 'Asia/Kolkata', LocaleSidKey: 'en_IN', EmailEncodingKey: 'UTF-8', LanguageLocaleKey: 'en_US' },
  ...{ ProfileId: '00e000000000001AAA', UserType: 'Standard', IsActive: isActive },
})

/** @returns null for any other object. */
export function systemRecords(org: Org, object: string): readonly OrgRecord[] | null {
  const made = (id: string, values: Values): OrgRecord => ({ id, object, values })
  switch (object) {
    case 'Organization':
      return [made(org.orgId, organization(org))]
    case 'User':
      return people.map((each) => made(each.id, userOf(each)))
    case 'Group':
      return [made(queue.id, { Name: queue.name, DeveloperName: queue.developerName, Type: 'Queue' })]
    case 'QueueSobject':
      return [made('03g000000000001AAA', { QueueId: queue.id, SobjectType: 'Lead' })]
    case 'Campaign':
      return campaignRecords()
    case 'PermissionSet':
      return [...org.permissionSets.keys()].map((name) => made(setIdOf(name), { Name: name, Label: name }))
    case 'PermissionSetAssignment':
      return [...org.assignedSets].map((name, n) =>
        made(assignmentIdOf(n), { AssigneeId: userId, PermissionSetId: setIdOf(name) }),
      )
    case 'UserRecordAccess':
      return org.records().map((record) => {
        const mayEdit = mayChange(org, record)
        const values = {
          UserId: userId,
          RecordId: record.id,
          HasReadAccess: maySee(org, record),
          HasEditAccess: mayEdit,
        }
        return made(record.id, values)
      })
    default:
      return null
  }
}

/** POST sobjects/PermissionSetAssignment. */
export function assignSet(
  org: Org,
  values: Readonly<Record<string, unknown>>,
): { readonly id: string } | { readonly code: string; readonly message: string } {
  const name = [...org.permissionSets.keys()].find((each) => setIdOf(each) === values['PermissionSetId'])
  if (values['AssigneeId'] !== userId) return unknownId('Assignee ID')
  if (name === undefined) return unknownId('Permission Set ID')
  if (org.assignedSets.has(name)) {
    const message = `Duplicate PermissionSetAssignment. Assignee: ${userId}; Permission Set: ${setIdOf(name)}`
    return { code: 'DUPLICATE_VALUE', message }
  }
  org.assignedSets.add(name)
  return { id: assignmentIdOf(org.assignedSets.size - 1) }
}

const unknownId = (of: string) => ({
  code: 'INVALID_CROSS_REFERENCE_KEY',
  message: `${of}: invalid cross reference id`,
})

const assignmentIdOf = (place: number): string => `0Pa${String(place + 1).padStart(12, '0')}AAA`

export function mayChange(org: Org, record: OrgRecord): boolean {
  if (org.sharing === 'Edit' || heldBy(record, 'OwnerId') === userId) return true
  return [...org.assignedSets].some((name) => org.permissionSets.get(name)?.modifyAll.includes(record.object) === true)
}

export function maySee(org: Org, record: OrgRecord): boolean {
  return org.sharing !== 'None' || mayChange(org, record)
}

function organization({ sharing }: Org): Values {
  return {
    ...{ Name: 'Sandbox', InstanceName: 'BOX1', OrganizationType: 'Developer Edition', IsSandbox: false },
    ...{ DefaultLeadAccess: sharing, DefaultAccountAccess: sharing },
    DefaultContactAccess: sharing === 'Edit' ? 'Edit' : 'ControlledByParent',
  }
}

const setIdOf = (name: string): string => {
  let hash = 7
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_000_007
  return `0PS${String(hash).padStart(12, '0')}AAA`
}
