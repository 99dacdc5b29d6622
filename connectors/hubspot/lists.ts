/**
 * Static lists, which records join after they are written. The account's lists are only read if a mapping names one;
 * adding a member again changes nothing. Active lists fill themselves by filters and accept no members.
 */
import type { EntityType } from '../../src/domain/identity.ts'
import { readAs } from '../answers.ts'
import { CachedAnswer } from '../cached-answer.ts'
import { answerIfAllowed, rightsMissing } from '../call-result.ts'
import type { CrmField, Refusal } from '../contract.ts'
import { type JoinPort, joinedField } from '../joins.ts'
import type { ListValues } from '../listed-value.ts'
import { withOwners } from '../owner-list.ts'
import { slices } from '../slices.ts'
import { activeList, listGone } from './administrator.ts'
import type { HubspotClient } from './client.ts'
import { type CrmObject, crmObjects, objectOf } from './mapping.ts'
import { refusalOf, refusedCall } from './refusals.ts'
import { faultOf, JoinReply, SegmentPage } from './replies.ts'

type Segment = SegmentPage['lists'][number]

const typeIds: Readonly<Record<CrmObject, string>> = { contacts: '0-1', companies: '0-2' }
const pageSize = 500
/** As shown in HubSpot; no account has this many. */
const pagesMax = 40
const idsAtOnce = 10_000
const base = '/crm/lists/2026-03'

export class HubspotLists implements JoinPort {
  readonly #client: HubspotClient
  readonly #listValues: ListValues
  readonly #segments: CachedAnswer<readonly Segment[] | null>

  constructor(client: HubspotClient, listValues: ListValues) {
    this.#client = client
    this.#listValues = listValues
    this.#segments = new CachedAnswer(() => this.#list())
  }

  /** No property of companies or contacts has this name. */
  fieldOf(type: EntityType): string {
    return fieldOf(objectOf(type))
  }

  async describeAll(): Promise<readonly CrmField[]> {
    this.#segments.forget()
    return [await this.describe(fieldOf('companies')), await this.describe(fieldOf('contacts'))]
  }

  async describe(name: string): Promise<CrmField> {
    const object = crmObjects.find((each) => fieldOf(each) === name) ?? 'companies'
    const joined = joinedField({ name, label: `Static lists of ${object}` }, this.#listValues)
    const all = (await this.#segments.get())?.filter(({ objectTypeId }) => objectTypeId === typeIds[object])
    if (all === undefined) return joined
    const active = all.filter(({ processingType }) => processingType === 'DYNAMIC')
    const open = all.filter((each) => !active.includes(each))
    const closed = active.flatMap(({ listId, name: called }) => [
      [listId, activeList(called)],
      [called, activeList(called)],
    ])
    return {
      ...withOwners(
        joined,
        open.map(({ listId: id, name: called }) => ({ id, names: [called] })),
      ),
      ...(closed.length > 0 && { closed: Object.fromEntries(closed) }),
    }
  }

  async add(field: string, target: string, crmIds: readonly string[]): Promise<ReadonlyMap<string, Refusal | 'later'>> {
    const refused = new Map<string, Refusal | 'later'>()
    for (const some of slices(crmIds, idsAtOnce)) {
      const { status, body } = await this.#client.ask({
        ...{ method: 'PUT', path: `${base}/${encodeURIComponent(target)}/memberships/add`, body: some },
      })
      const reply = status < 300 ? JoinReply.safeParse(body).data : undefined
      if (reply !== undefined) for (const id of reply.recordIdsMissing) refused.set(id, 'later')
      else for (const id of some) refused.set(id, refusedList(field, target, status, body))
    }
    return refused
  }

  /** A call without a record adds none; missing permissions are reported before the list is looked up. */
  async missingRights(): Promise<readonly string[]> {
    return rightsMissing([
      () => this.#client.call({ method: 'POST', path: `${base}/search`, body: { count: 1 } }),
      () => this.#client.call({ method: 'PUT', path: `${base}/0/memberships/add`, body: [] }),
    ])
  }

  /** @returns null if the app has no access: then any id is accepted. */
  async #list(): Promise<readonly Segment[] | null> {
    const lists: Segment[] = []
    for (let [page, offset] = [0, 0]; page < pagesMax; page += 1) {
      const result = await this.#client.call({
        ...{ method: 'POST', path: `${base}/search`, body: { query: '', count: pageSize, offset } },
      })
      const answer = answerIfAllowed(result, 'HubSpot (its lists)')
      if (answer === null) return null
      if (answer.status >= 300) throw refusedCall('list the lists', answer.status, faultOf(answer.body))
      const read = readAs(SegmentPage, answer.body, "HubSpot's lists")
      lists.push(...read.lists)
      if (!read.hasMore || read.offset <= offset) break
      offset = read.offset
    }
    return lists
  }
}

export const isListField = (name: string): boolean => crmObjects.some((object) => fieldOf(object) === name)

const fieldOf = (object: CrmObject): string => `lists.${object}`

function refusedList(field: string, target: string, status: number, body: unknown): Refusal {
  const { code, message } = refusalOf(faultOf(body))
  return { code, field, message: listGone(target, `${status} ${message}`) }
}
