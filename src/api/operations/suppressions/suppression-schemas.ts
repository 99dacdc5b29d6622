import { z } from 'zod'
import { type Objection, readObjection, type SuppressionKind, suppressionKinds } from '../../../domain/objection.ts'
import { timestamp, uuid } from '../../formats.ts'

export const valuesMax = 1000

const valuesOf = (kind: SuppressionKind, written: string) =>
  z
    .array(
      z
        .string()
        .max(320)
        .refine((text) => readObjection(kind, text) !== undefined, `must be ${written}`),
    )
    .max(valuesMax)
    .optional()
    .describe(`Each ${written}`)

export const Values = {
  email: valuesOf('email', 'an e-mail address'),
  mobile: valuesOf('mobile', 'a mobile number'),
  din: valuesOf('din', 'a DIN, eight digits'),
  pan: valuesOf('pan', "a person's PAN, or the GSTIN of a sole proprietor trading under their own name"),
}

export const Entry = z
  .object({
    id: uuid('ID of the entry'),
    kind: z.enum(suppressionKinds),
    reason: z.string().nullable(),
    reference: z.string().nullable().describe("The operator's own"),
    created_by: z.string(),
    created_at: timestamp(),
  })
  .meta({ id: 'Suppression' })

export const objectionsOf = (body: { readonly [kind in SuppressionKind]?: string[] | undefined }): Objection[] =>
  suppressionKinds.flatMap((kind) => (body[kind] ?? []).flatMap((text) => readObjection(kind, text) ?? []))
