/**
 * A body against the bounds of its schema, before the schema library makes an issue of each member: which are unknown, too
 * long, too many or of another type, up to as many as are told. What the bounds do not say is left to the library.
 */
import type { z } from 'zod'
import { memberNode, nodeAt, type SchemaNode } from './member-rule.ts'

type Path = readonly PropertyKey[]

/** @returns as many issues as there is room for, or undefined where they are few enough to be told one by one. */
export function faultsBeyond(
  root: SchemaNode,
  data: unknown,
  max: number,
  message: string,
): readonly z.core.$ZodIssue[] | undefined {
  const faults: z.core.$ZodIssue[] = []
  let isOverlong = false
  const note = (path: Path) => faults.push({ code: 'custom', path: [...path], message, input: undefined })

  /** Returns early once there are as many as are told. */
  const look = (node: SchemaNode | undefined, value: unknown, path: Path): void => {
    if (!node || node.anyOf || faults.length >= max) return
    if (Array.isArray(value)) {
      if (node.type !== undefined && node.type !== 'array') return void note(path)
      if (value.length > (node.maxItems ?? Number.POSITIVE_INFINITY)) {
        isOverlong = true
        return void note(path)
      }
      for (const [index, item] of value.entries()) {
        if (faults.length >= max) return
        look(memberNode(root, node, index), item, [...path, index])
      }
      return
    }
    if (typeof value === 'object' && value !== null) {
      if (node.type !== undefined && node.type !== 'object') return void note(path)
      for (const [name, member] of Object.entries(value)) {
        if (faults.length >= max) return
        look(memberNode(root, node, name), member, [...path, name])
      }
      for (const name of node.required ?? []) {
        if (faults.length < max && !Object.hasOwn(value, name)) note([...path, name])
      }
      return
    }
    if (
      !isOfType(node, value) ||
      (typeof value === 'string' && value.trim().length > (node.maxLength ?? value.length))
    ) {
      note(path)
    }
  }
  look(nodeAt(root, []), data, [])
  return isOverlong || faults.length >= max ? faults : undefined
}

function isOfType({ type }: SchemaNode, value: unknown): boolean {
  if (type === 'string' || type === 'boolean') return typeof value === type
  if (type === 'number' || type === 'integer') return typeof value === 'number'
  return type !== 'object' && type !== 'array'
}
