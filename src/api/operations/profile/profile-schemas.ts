import { z } from 'zod'

export const ContactRules = z
  .strictObject({
    exclude_do_not_contact: z.boolean().describe('Leave out contacts whose owner asked not to be contacted'),
  })
  .meta({ examples: [{ exclude_do_not_contact: true }] })
