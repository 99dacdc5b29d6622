/** The answer of a preview, for a saved standing order and for a draft. */
import { z } from 'zod'
import { day } from '../../formats.ts'
import { StandingRecord } from './standing-schemas.ts'

const PreviewDay = z
  .object({
    day: day('Of registration'),
    matches: z.number(),
    with_mobile: z.number(),
    with_email: z.number(),
    price: z.number().describe('Credits that its budgets would have spent'),
    over_budget: z.number().describe('Reachable records that its budgets would have left out'),
  })
  .meta({ id: 'StandingPreviewDay' })

export const StandingPreview = z
  .object({
    days: z.array(PreviewDay),
    rows: z.array(StandingRecord).describe('Records of `day`, at most 100'),
  })
  .meta({ id: 'StandingPreview' })

export const previewExample = {
  days: [{ day: '2026-11-23', matches: 9, with_mobile: 7, with_email: 8, price: 8, over_budget: 0 }],
  rows: [{ number: 'U29199GA2004PTC101555', name: 'Naveshmerix Lantern Electronics Private Limited' }],
}
