/** The text of a CRM's answer, as far as a connector believes it. */
import type { z } from 'zod'
import { AppError } from '../src/errors.ts'

/** @returns undefined for text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What cannot be read must not pass for "nothing there". @throws AppError CRM_UNAVAILABLE */
export function readAs<Shape extends z.ZodType>(shape: Shape, body: unknown, what: string): z.output<Shape> {
  const read = shape.safeParse(body)
  if (read.success) return read.data
  throw new AppError('CRM_UNAVAILABLE', `${what} could not be read`, { retry: 'later' })
}
