/** Parses and validates the text of a CRM's reply. */
import type { z } from 'zod'
import { AppError } from '../src/errors.ts'

/** @returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An unreadable reply must not pass for "no records". @throws AppError CRM_UNAVAILABLE */
export function readAs<Shape extends z.ZodType>(shape: Shape, body: unknown, what: string): z.output<Shape> {
  const read = shape.safeParse(body)
  if (read.success) return read.data
  throw new AppError('CRM_UNAVAILABLE', `${what} could not be read`, { retry: 'later' })
}
