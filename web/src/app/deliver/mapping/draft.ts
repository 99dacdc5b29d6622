/** A draft of a mapping, rebased where somebody else saved another version since it was started. */
import { type ChangeByOthers, rebaseForm } from '../../../look/rebase-form.ts'
import { overrideInWords } from './override.ts'
import type { FieldMapping, Mapping } from './read-mapping.ts'

export interface MappingDraft {
  readonly fields: readonly FieldMapping[]
  /** The mapping it was started from, and that mapping's revision. */
  readonly from: readonly FieldMapping[]
  readonly revision: string
  /** Fields that somebody else changed since then. */
  readonly changed: readonly ChangeByOthers[]
}

export const begunOf = ({ fields, revision }: Mapping): MappingDraft => ({
  ...{ fields, from: fields, revision, changed: [] },
})

const untouched = 'not changed'
const nameOf = ({ field, for: leads }: FieldMapping) => [field, ...(leads ?? [])].join(' ')

/** Fields not touched in the draft take the saved value; fields changed in it stay. */
export function broughtUp(draft: MappingDraft, kept: Mapping): MappingDraft {
  if (draft.revision === kept.revision) return draft
  const all = [...draft.fields, ...kept.fields, ...draft.from]
  const names = [...new Set(all.map(nameOf))]
  const inWords = (fields: readonly FieldMapping[]) => {
    const said = new Map(fields.map((each) => [nameOf(each), overrideInWords(each)]))
    return Object.fromEntries(names.map((name) => [name, said.get(name) ?? untouched]))
  }
  const shapes = names.map((name) => ({ name, label: name.split(' ')[0] ?? name }))
  const [typed, from, now] = [draft.fields, draft.from, kept.fields].map(inWords)
  const after = rebaseForm(shapes, { typed: typed ?? {}, from: from ?? {}, now: now ?? {} })
  return {
    fields: names.flatMap(
      (name) => all.find((each) => nameOf(each) === name && overrideInWords(each) === after.typed[name]) ?? [],
    ),
    from: kept.fields,
    revision: kept.revision,
    changed: after.changed,
  }
}
