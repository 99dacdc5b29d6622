/**
 * Members of answers whose text has a form that the OpenAPI document names, so that generated clients can read them.
 * The serializer does not check them; the conformance tests do, on every answer that they see.
 */
import { z } from 'zod'

const formatted = (format: string) => (description: string) => z.string().meta({ format, description })

/** RFC 3339 in UTC; say of what, as in `timestamp('of the next reset')`. */
export const timestamp = (ofWhat = '') => formatted('date-time')(`UTC timestamp ${ofWhat}`.trim())
/** YYYY-MM-DD. */
export const day = formatted('date')
export const uuid = formatted('uuid')
export const email = formatted('email')
export const uri = formatted('uri')
/** An address that may lack its server. */
export const relativeUri = formatted('uri-reference')

export const revision = z
  .string()
  .describe('Of all that can be changed; sent with a change it keeps what somebody else changed')
