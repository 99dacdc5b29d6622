/**
 * Members of answers whose text has a format in the OpenAPI document, so that generated clients can parse them. The
 * serializer does not check the formats; the conformance tests do, on every answer that they see.
 */
import { z } from 'zod'

const formatted = (format: string) => (description: string) => z.string().meta({ format, description })

/** RFC 3339 in UTC; `ofWhat` completes the description, as in `timestamp('of the next reset')`. */
export const timestamp = (ofWhat = '') => formatted('date-time')(`UTC timestamp ${ofWhat}`.trim())
/** YYYY-MM-DD. */
export const day = formatted('date')
export const uuid = formatted('uuid')
export const email = formatted('email')
export const uri = formatted('uri')
/** An amount of money; `what` begins its description. */
export const paise = (what: string) => z.number().describe(`${what}, in paise`)
/** A URL that may lack its origin. */
export const relativeUri = formatted('uri-reference')

export const revision = z
  .string()
  .describe("Of everything that can be changed; send it with a change to avoid overwriting somebody else's")
