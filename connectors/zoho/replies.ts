/** The parts of Zoho's replies that the connector reads. Unknown members are ignored. */
import { z } from 'zod'

const word = z.string().nullish().catch(null)

/** One member of `data` after a write, and the whole reply to a call that is refused. */
export const RowReply = z.looseObject({
  code: z.string(),
  status: z.enum(['success', 'error']),
  message: z.string().catch(''),
  details: z
    .looseObject({
      id: word,
      api_name: word,
      permissions: z.array(z.string()).optional().catch(undefined),
      expected_data_type: word,
      maximum_length: z.number().nullish().catch(null),
      /** For `MULTIPLE_OR_MULTI_ERRORS`, as when several rules refuse a row. */
      errors: z
        .array(
          z.looseObject({
            message: z.string().catch(''),
            details: z.looseObject({ api_name: word }).catch({ api_name: null }),
          }),
        )
        .optional()
        .catch(undefined),
    })
    .catch({ id: null, api_name: null, expected_data_type: null, maximum_length: null }),
})
export type RowReply = z.output<typeof RowReply>

export const RowReplies = z.object({ data: z.array(RowReply.nullable().catch(null)) })
export const FieldReplies = z.object({ fields: z.array(RowReply.nullable().catch(null)) })

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
/** A reference to another record or a user. */
const reference = z.looseObject({ id: z.string() }).transform(({ id }) => id)
/** Several values of a picklist. */
const list = z.array(z.string()).transform((values) => values.join(';'))
export const RecordList = z.object({
  data: z.array(z.record(z.string(), z.union([scalar, reference, list]).catch(null)).and(z.object({ id: z.string() }))),
})
export type ZohoRecord = z.output<typeof RecordList>['data'][number]

export const FieldMetadata = z.object({
  api_name: z.string(),
  field_label: z.string().catch(''),
  data_type: z.string(),
  length: z.number().nullish().catch(null),
  system_mandatory: z.boolean().catch(false),
  read_only: z.boolean().catch(false),
  field_read_only: z.boolean().catch(false),
  /** How its values are encrypted, if they are. */
  crypt: z.looseObject({}).nullish().catch(null),
  /** Empty if values may repeat. */
  unique: z.record(z.string(), z.unknown()).catch({}),
  operation_type: z
    .looseObject({ api_create: z.boolean().catch(true), api_update: z.boolean().catch(true) })
    .catch({ api_create: true, api_update: true }),
  /**
   * `display_value` is written and what pages show, `actual_value` is what it was named first. Also `unused` ones, which no lead can be
   * given any more.
   */
  pick_list_values: z
    .array(
      z.looseObject({
        actual_value: z.string(),
        display_value: z.string().nullish().catch(null),
        type: z.string().catch('used'),
      }),
    )
    .catch([]),
})
export type FieldMetadata = z.output<typeof FieldMetadata>
export const FieldList = z.object({ fields: z.array(FieldMetadata) })

export const Organization = z.object({
  org: z.array(z.looseObject({ zgid: z.union([z.string(), z.number()]) })).min(1),
})

export const UserList = z.object({
  users: z.array(
    z.looseObject({
      id: z.string(),
      email: z.string().nullable().catch(null),
      profile: z.looseObject({ name: z.string() }).nullish().catch(null),
    }),
  ),
  info: z.looseObject({ more_records: z.boolean().catch(false) }).catch({ more_records: false }),
})
export type UserList = z.output<typeof UserList>

export const TagList = z.object({ tags: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
export type TagList = z.output<typeof TagList>

export const TokenReply = z.object({
  access_token: z.string().min(1),
  api_domain: z.string().min(1),
  expires_in: z.number().positive().catch(3600),
})
/** Zoho returns `invalid_code` with status 200. */
export const TokenRefusal = z.object({ error: z.string() })
