/**
 * Decides per property whether the lead's value may be written over what stands in the CRM. Pure: the same record and
 * the same lead always give the same decision, and a record that already agrees gives none to write.
 */
import type { PropertyType } from './mapping.ts'

/**
 * `always`: the register's value wins. `if_empty`: written once. `if_unchanged`: written as long as nobody in the CRM
 * has touched the value that Panji pushed last.
 */
export const ownerships = ['always', 'if_empty', 'if_unchanged'] as const
export type Ownership = (typeof ownerships)[number]

export interface FieldRule {
  readonly type: PropertyType
  readonly ownership: Ownership
  /** HubSpot stores the value in small letters, whatever it was sent. */
  readonly caseless: boolean
}

export interface Comparison {
  /** Properties to send. */
  readonly writes: ReadonlyMap<string, string>
  /** Properties where a person's edit keeps a newer value of the register out. */
  readonly held: readonly string[]
  /** What `lastPushed` is after the writes: a held property keeps its old entry, so the edit is seen next time too. */
  readonly values: Readonly<Record<string, unknown>>
}

export function compare(
  desired: ReadonlyMap<string, string>,
  current: Readonly<Record<string, unknown>> | null,
  lastPushed: Readonly<Record<string, unknown>> | null,
  ruleOf: (property: string) => FieldRule,
): Comparison {
  const writes = new Map<string, string>()
  const held: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, wanted] of desired) {
    const rule = ruleOf(name)
    const present = asText(current?.[name])
    const pushed = asText(lastPushed?.[name])
    if (sameValue(rule, wanted, present)) {
      if (present !== '') values[name] = present
    } else if (mayWrite(rule, present, pushed)) {
      writes.set(name, wanted)
      if (wanted !== '') values[name] = wanted
    } else {
      if (rule.ownership === 'if_unchanged' && !sameValue(rule, wanted, pushed)) held.push(name)
      if (pushed !== '') values[name] = pushed
    }
  }
  return { writes, held, values }
}

function mayWrite(rule: FieldRule, present: string, pushed: string): boolean {
  if (rule.ownership === 'always') return true
  return rule.ownership === 'if_empty' ? present === '' : sameValue(rule, present, pushed)
}

/** HubSpot may give `1000` back as `1000.0` and an address in small letters; neither is an edit. */
function sameValue({ type, caseless }: FieldRule, left: string, right: string): boolean {
  if (left === right) return true
  if (left === '' || right === '') return false
  if (caseless) return left.toLowerCase() === right.toLowerCase()
  return type === 'number' && Number(left) === Number(right)
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
