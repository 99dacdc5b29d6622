/** The parts of HubSpot's replies that the connector reads. Unknown members and values are ignored. */
import { z } from 'zod'

const text = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)])
const properties = z.record(z.string(), text.nullable())

export const CrmRecord = z.object({
  id: z.string(),
  new: z.boolean().optional(),
  objectWriteTraceId: z.string().nullish(),
  properties: properties.default({}),
})
export type CrmRecord = z.output<typeof CrmRecord>

/** HubSpot documents every member of an error as optional; one of an unexpected type must not hide the others. */
const word = z.string().nullish().catch(null)
/** Values are lists of text, but some endpoints send text that looks like a list. */
const context = z
  .record(z.string(), z.union([z.array(z.string()), z.string()]).catch(''))
  .nullish()
  .catch(null)

export const CrmFault = z.object({
  category: word,
  subCategory: word,
  message: word,
  context,
  errors: z
    .array(z.object({ message: word, code: word, subCategory: word, in: word, context }))
    .nullish()
    .catch(null),
  policyName: word,
})
export type CrmFault = z.output<typeof CrmFault>

/** 200 and 207 alike: the latter adds errors, and either may leave rows out. */
export const BatchReply = z.object({
  results: z.array(CrmRecord).default([]),
  errors: z.array(CrmFault).default([]),
})
export type BatchReply = z.output<typeof BatchReply>

export const PropertyList = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      label: z.string().default(''),
      type: z.string(),
      hasUniqueValue: z.boolean().optional(),
      modificationMetadata: z.object({ readOnlyValue: z.boolean().optional() }).nullish().catch(null),
      referencedObjectType: z.string().nullish().catch(null),
      options: z
        .array(
          z.object({
            value: z.string(),
            label: z.string().optional(),
            hidden: z.boolean().optional(),
            displayOrder: z.number().optional().catch(undefined),
          }),
        )
        .nullish(),
    }),
  ),
})

export type PropertyList = z.output<typeof PropertyList>

export const OwnerPage = z.object({
  results: z.array(z.object({ id: z.string(), email: z.string().nullable().catch(null) })),
  paging: z.object({ next: z.object({ after: z.string() }).nullish() }).nullish(),
})

export const SegmentPage = z.object({
  lists: z.array(
    z.object({ listId: z.string(), name: z.string(), objectTypeId: z.string(), processingType: z.string() }),
  ),
  hasMore: z.boolean().default(false),
  offset: z.number().default(0),
})

export type SegmentPage = z.output<typeof SegmentPage>

/** Ids in neither list were members before. */
export const JoinReply = z.object({
  recordsIdsAdded: z.array(text).default([]),
  recordIdsMissing: z.array(text).default([]),
})

export const GroupList = z.object({ results: z.array(z.object({ name: z.string() })) })

export const UsageList = z.object({
  results: z.array(z.object({ usageLimit: z.number().nullish(), currentUsage: z.number().nullish() })),
})

/** The account's id and the address of its user interface. */
export const AccountDetails = z.object({
  portalId: z.union([z.int(), z.string().regex(/^\d+$/)]),
  uiDomain: z
    .string()
    .regex(/^app(-[a-z]{2}\d)?\.hubspot\.com$/)
    .catch('app.hubspot.com'),
})

export const TokenReply = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
})

export const TokenRefusal = z.object({ category: text, status: text, error: text }).partial()

export function faultOf(body: unknown): CrmFault {
  return CrmFault.catch({}).parse(body)
}
