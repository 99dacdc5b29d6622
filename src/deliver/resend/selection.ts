/** Which records of a destination are sent again: all, those of an order, or one. */
import { externalIdsNamed } from '../../domain/entity-identifier.ts'
import { isUuid } from '../../domain/uuid.ts'

export interface ResendSelection {
  readonly destinationId: string
  readonly orderId?: string | undefined
  /** `gst:GSTIN`, `company:CIN`, `director:DIN`, or the identifier alone. */
  readonly record?: string | undefined
}

/** An order id that is never assigned. */
const noOrder = '00000000-0000-0000-0000-000000000000'

/** The parameters $1 to $3 of chosen.sql. */
export const valuesOf = ({ destinationId, orderId, record }: ResendSelection) => [
  destinationId,
  orderId === undefined ? null : isUuid(orderId) ? orderId : noOrder,
  record === undefined ? null : externalIdsNamed(record),
]
