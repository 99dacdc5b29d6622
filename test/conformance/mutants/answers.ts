/** Connectors that take the rows of an answer for those that they sent, one by one. */
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { claimed, type Mutation, session, silent } from './wrappers.ts'

const lacksFirst =
  'a reply without its first row credits no lead with the record of another, and a lookup settles the rest'
const reportsWrites =
  'a push tells each row that it writes: what is sent, and what the record held before; of others it tells nothing'
const outOfOrder = 'a reply whose rows are out of order tells of each lead what became of it'

export const answerMutations: readonly Mutation[] = [
  { fault: 'matches rows by their place in a shorter answer', breaks: lacksFirst, mutate: byPlace('omit_first_row') },
  {
    fault: 'takes the row that an answer lacks for a success',
    breaks: lacksFirst,
    mutate: session((real) => ({
      push: async (leads) =>
        (await real.push(leads)).map((each, n) =>
          each.status === 'unknown' ? claimed(leads[n] as OutgoingLead) : each,
        ),
    })),
  },
  { fault: 'matches rows by their place, whatever they name', breaks: outOfOrder, mutate: byPlace('shuffle_rows') },
  {
    fault: 'believes no answer out of order',
    breaks: outOfOrder,
    mutate: (connector, sandbox) =>
      session((real) => ({
        async push(leads) {
          const isStruck = awaits(sandbox(), 'shuffle_rows')
          const told = await real.push(leads)
          return isStruck ? leads.map(() => silent) : told
        },
      }))(connector, sandbox),
  },
  {
    fault: 'tells nothing of what it writes',
    breaks: reportsWrites,
    mutate: (connector) => ({
      ...connector,
      open: (settings, options) => connector.open(settings, { ...options, reportWrite: undefined }),
    }),
  },
  {
    fault: 'tells of each row that its record held nothing',
    breaks: reportsWrites,
    mutate: (connector) => ({
      ...connector,
      open: (settings, options) =>
        connector.open(settings, {
          ...options,
          reportWrite: (id, { sent }) => options.reportWrite?.(id, { sent, before: null }),
        }),
    }),
  },
]

const awaits = (sandbox: Sandbox, kind: string): boolean =>
  sandbox.faults?.().some(({ fault }) => fault.kind === kind) === true

/** What a connector would tell that gives the n-th row of the answer to the n-th lead. */
function byPlace(kind: 'omit_first_row' | 'shuffle_rows'): Mutation['mutate'] {
  return (connector, sandbox) =>
    session((real) => ({
      async push(leads) {
        const isStruck = awaits(sandbox(), kind)
        const told = await real.push(leads)
        if (!isStruck) return told
        const held = await real.lookup(leads.map(({ externalId }) => externalId))
        const rows = leads.map(({ externalId }): PushOutcome => {
          const record = held.get(externalId)
          return record ? { status: 'updated', ...record } : silent
        })
        const [first = silent, ...rest] = rows
        return kind === 'shuffle_rows' ? [...rest, first] : [...rest, silent]
      },
    }))(connector, sandbox)
}
