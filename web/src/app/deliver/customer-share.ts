/** What of a CRM's daily calls is left to the customer's other programs: as forms ask for it in percent, as the API takes it, as pages say it. */
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { count } from '../../look/numbers.ts'

/** As the API has it where nothing is said, and at most. */
const usual = 0.2
const percentMax = 90

/** A share times a hundred is not always the number that it looks like. */
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
