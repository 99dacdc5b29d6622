/**
 * The share of a CRM's daily calls reserved for the customer's other programs: a percentage in forms, a fraction in the
 * API.
 */
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { count } from '../../look/numbers.ts'

/** The API's default, and the maximum. */
const usual = 0.2
const percentMax = 90

/** Floating point: a share times a hundred can miss the number it stands for. */
const percentOf = (share: number): number => Math.round(share * 10_000) / 100

export const shareInWords = (share: number): string => `${count(percentOf(share))} % of its daily calls`

export const shareField = (present = usual): FieldShape => ({
  name: 'share',
  label: 'Percent of its daily calls for your other programs',
  kind: 'percent',
  max: percentMax,
  initial: String(percentOf(present)),
  hint: 'Deliveries stop before they would use them, and resume automatically.',
})

export const shareOf = ({ share }: Typed): number => (share === undefined ? usual : Number(share) / 100)
