/** Connectors that take a full CRM for a fault of the leads, or keep it to themselves. */
import { failing, type Mutation, outcomes, rejected, session } from './wrappers.ts'

const rows =
  'a CRM without room for more records refuses no lead: each waits with the vendor’s word, and others are updated'
const calls = 'a whole call that is refused for want of room refuses no lead, and is not sent again row by row'

export const crmFullMutations: readonly Mutation[] = [
  {
    fault: 'refuses what the CRM has no room for',
    breaks: rows,
    mutate: outcomes((each) => (each.status === 'deferred' && each.blocks === true ? rejected : each)),
  },
  {
    fault: 'does not say that everybody must wait',
    breaks: rows,
    mutate: outcomes((each) => {
      if (each.status !== 'deferred') return each
      const { blocks: _, ...rest } = each
      return rest
    }),
  },
  {
    fault: 'hides the vendor’s word for it',
    breaks: rows,
    mutate: outcomes((each) => (each.status === 'deferred' ? { ...each, code: 'LATER' } : each)),
  },
  {
    fault: 'refuses the leads of a call that found no room',
    breaks: calls,
    mutate: (connector, sandbox) =>
      outcomes((each) => (each.status === 'deferred' ? rejected : each))(
        failing((_error, leads) => leads.map(() => rejected))(connector, sandbox),
        sandbox,
      ),
  },
  {
    fault: 'knocks for each lead at a CRM without room',
    breaks: calls,
    mutate: session((real) => ({
      async push(leads) {
        const ended = await Promise.allSettled([real.push(leads)])
        for (const lead of leads) ended.push(...(await Promise.allSettled([real.push([lead])])))
        for (const each of ended) if (each.status === 'rejected') throw each.reason
        return ended.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
      },
    })),
  },
]
