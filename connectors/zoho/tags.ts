/**
 * Tags of Leads, added after a record is written. The org's tags are only listed if a mapping names one, and none is
 * created: an unknown name would become a new tag. A record keeps the tags it has, and adding one again changes
 * nothing.
 */
import type { EntityType } from '../../src/domain/identity.ts'
import { AppError } from '../../src/errors.ts'
import { readAs } from '../answers.ts'
import { CachedAnswer } from '../cached-answer.ts'
import { rightsMissing } from '../call-result.ts'
import type { CrmField, Refusal } from '../contract.ts'
import { type JoinPort, joinedField } from '../joins.ts'
import type { ListValues } from '../listed-value.ts'
import { withOwners } from '../owner-list.ts'
import { slices } from '../slices.ts'
import { notTagged } from './administrator.ts'
import type { ZohoClient } from './client.ts'
import { outcomeOf, refusalOfCall, refusedCall, rowReplies } from './outcomes.ts'
import { TagList } from './replies.ts'

type Tag = TagList['tags'][number]

export const tagField = 'Tag'
const idsAtOnce = 100
const listPath = '/settings/tags?module=Leads'

export class ZohoTags implements JoinPort {
  readonly #client: ZohoClient
  readonly #listValues: ListValues
  readonly #tags: CachedAnswer<readonly Tag[]>

  constructor(client: ZohoClient, listValues: ListValues) {
    this.#client = client
    this.#listValues = listValues
    this.#tags = new CachedAnswer(() => this.#list())
  }

  fieldOf(_type: EntityType): string {
    return tagField
  }

  /** @throws AppError if the app may not list the tags: none is added then. */
  async describe(): Promise<CrmField> {
    return this.#fieldOf(await this.#tags.get())
  }

  /** For editing a mapping; without the tags if the app may not list them. */
  async describeAll(): Promise<CrmField> {
    this.#tags.forget()
    return this.describe().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'CRM_UNAUTHORIZED') return this.#fieldOf(null)
      throw error
    })
  }

  #fieldOf(tags: readonly Tag[] | null): CrmField {
    const field = joinedField({ name: tagField, label: 'Tag' }, this.#listValues)
    return withOwners(field, tags?.map(({ id, name }) => ({ id, names: [name] })) ?? null)
  }

  async add(field: string, target: string, crmIds: readonly string[]): Promise<ReadonlyMap<string, Refusal | 'later'>> {
    const { name = target } = (await this.#tags.get()).find(({ id }) => id === target) ?? {}
    const refused = new Map<string, Refusal | 'later'>()
    const refuse = (id: string, { code, message }: Refusal) =>
      refused.set(id, { code, field, message: notTagged(name, `${code}: ${message}`) })
    for (const ids of slices(crmIds, idsAtOnce)) {
      const body = { tags: [{ id: target, name }], over_write: false, ids }
      const answer = await this.#client.ask({ method: 'POST', path: '/Leads/actions/add_tags', body })
      const replies = rowReplies(answer.body, ids.length)
      const refusal = replies === null ? refusalOfCall(answer.body) : null
      for (const [n, id] of ids.entries()) {
        const outcome = outcomeOf(replies?.[n], 'updated', {})
        if (refusal !== null) refuse(id, refusal)
        else if (outcome.status === 'rejected') refuse(id, outcome)
        else if (outcome.status === 'deferred' || outcome.status === 'unknown') refused.set(id, 'later')
      }
    }
    return refused
  }

  /** A call without a record tags none; missing permissions are reported before the records are looked up. */
  async missingRights(): Promise<readonly string[]> {
    return rightsMissing([
      () => this.#client.call({ method: 'GET', path: listPath }),
      () => this.#client.call({ method: 'POST', path: '/Leads/actions/add_tags', body: { tags: [], ids: [] } }),
    ])
  }

  async #list(): Promise<readonly Tag[]> {
    const { status, body } = await this.#client.ask({ method: 'GET', path: listPath })
    if (status === 204) return []
    if (status >= 300) throw refusedCall('list the tags', status, body)
    return readAs(TagList, body, "Zoho's tags").tags
  }
}
