/** Property groups: list, read, create, rename and archive; renaming changes the label and not the name. */
import { z } from 'zod'
import type { WireAnswer } from '../kit.ts'
import { errorAnswer, notFound, validationError } from './replies.ts'
import type { SandboxState } from './state.ts'

const shownGroup = (state: SandboxState, object: string, name: string) => ({
  name,
  label: state.groupLabels[`${object}.${name}`] ?? name,
  archived: false,
  displayOrder: -1,
})

export function listGroups(state: SandboxState, object: string): WireAnswer {
  const results = (state.groups[object] ?? []).map((name) => shownGroup(state, object, name))
  return { status: 200, body: { results } }
}

export function createGroup(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = z.object({ name: z.string().min(1), label: z.string().min(1) }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { name, label } = parsed.data
  const groups = state.groups[object] ?? []
  if (groups.includes(name)) return errorAnswer(409, 'OBJECT_ALREADY_EXISTS', 'The group already exists.')
  state.groups[object] = [...groups, name]
  state.groupLabels[`${object}.${name}`] = label
  return { status: 201, body: shownGroup(state, object, name) }
}

/** GET, PATCH or DELETE of one group. */
export function groupRoute(
  state: SandboxState,
  method: string,
  object: string,
  name: string,
  body: unknown,
): WireAnswer | undefined {
  if (!state.groups[object]?.includes(name)) return notFound(`Property group ${name} does not exist`)
  if (method === 'GET') return { status: 200, body: shownGroup(state, object, name) }
  if (method === 'DELETE') {
    if (state.properties[object]?.some(({ groupName }) => groupName === name))
      return validationError(`Property group ${name} still has properties`)
    state.groups[object] = state.groups[object].filter((each) => each !== name)
    return { status: 204 }
  }
  if (method !== 'PATCH') return undefined
  const parsed = z.object({ label: z.string().min(1).optional() }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  if (parsed.data.label !== undefined) state.groupLabels[`${object}.${name}`] = parsed.data.label
  return { status: 200, body: shownGroup(state, object, name) }
}
