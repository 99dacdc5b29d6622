/** Connectors whose set-up and descriptions cannot be relied on. */
import { type Mutation, session } from './wrappers.ts'

export const setUpMutations: readonly Mutation[] = [
  {
    fault: 'says it created what was there',
    breaks: 'set-up makes the CRM ready and can be repeated',
    mutate: session((real) => ({
      async setup() {
        const { created, present, todo } = await real.setup()
        return { created: [...created, ...present], present, todo }
      },
    })),
  },
  {
    fault: 'does nothing at set-up',
    breaks: 'set-up makes the CRM ready and can be repeated',
    mutate: session(() => ({ setup: async () => ({ created: [], present: [], todo: [] }) })),
  },
  {
    fault: 'leaves the administrator without a word',
    breaks: 'set-up without the right to change the CRM creates nothing and says what an administrator must do',
    mutate: session((real) => ({ setup: async () => ({ ...(await real.setup()), todo: [] }) })),
  },
  {
    fault: 'tells the administrator a code',
    breaks: 'set-up without the right to change the CRM creates nothing and says what an administrator must do',
    mutate: session((real) => ({
      setup: async () => ({ ...(await real.setup()), todo: ['INSUFFICIENT_ACCESS'] }),
    })),
  },
  {
    fault: 'describes no fields',
    breaks: 'describe names the fields with their lengths',
    mutate: session(() => ({ describe: async () => [] })),
  },
  {
    fault: 'describes fields without lengths',
    breaks: 'describe names the fields with their lengths',
    mutate: session((real) => ({
      describe: async () => (await real.describe()).map((field) => ({ ...field, lengthMax: 0 })),
    })),
  },
  {
    fault: 'makes limits up',
    breaks: 'the limits are numbers that the CRM said, or null',
    mutate: session(() => ({ limits: async () => ({ dailyUsed: Number.NaN, dailyLimit: -1 }) })),
  },
  {
    fault: 'has a name that no command could say',
    breaks: 'the connector states its name, its batch and its pace',
    mutate: (connector) => ({ ...connector, name: 'My CRM!' }),
  },
  {
    fault: 'takes no leads at a time',
    breaks: 'the connector states its name, its batch and its pace',
    mutate: (connector) => ({ ...connector, batchSizeMax: 0 }),
  },
]
