/** Connectors that guess what a failed call did, or do not let go. */
import type { PushOutcome } from '../../../connectors/contract.ts'
import { AppError } from '../../../src/errors.ts'
import { claimed, failing, type Mutation, oneByOne, options, rejected, sayUnknownIs, session } from './wrappers.ts'

export const failureMutations: readonly Mutation[] = [
  {
    fault: 'takes it for a refusal that its own write was there before',
    breaks: 'a write that a proxy brings twice leaves one record per lead, and refuses none',
    mutate: (connector, sandbox) =>
      session((real) => ({
        async push(leads) {
          const before = sandbox().calls().length
          const told = await real.push(leads)
          const heard = sandbox()
            .calls()
            .slice(before)
            .map(({ path, body }) => JSON.stringify([path, body]))
          return new Set(heard).size < heard.length ? leads.map(() => rejected) : told
        },
      }))(connector, sandbox),
  },
  {
    fault: 'tries refused credentials again and again',
    breaks: 'refused credentials are CRM_UNAUTHORIZED, never retried',
    mutate: failing((error) => {
      throw new AppError('CRM_UNAVAILABLE', error.message, { retry: 'later' })
    }),
  },
  {
    fault: 'rejects leads for credentials that are refused',
    breaks: 'refused credentials are CRM_UNAUTHORIZED, never retried',
    mutate: failing((_error, leads) => leads.map(() => rejected)),
  },
  {
    fault: 'does not renew what expired',
    breaks: 'access that expires is renewed within the push, and no lead notices',
    mutate: (connector, sandbox) =>
      session((real) => ({
        async push(leads) {
          const told = await real.push(leads)
          if (
            sandbox()
              .calls()
              .some(({ status }) => status === 401)
          )
            throw new AppError('CRM_UNAUTHORIZED', 'expired')
          return told
        },
      }))(connector, sandbox),
  },
  {
    fault: 'renews refused access again and again',
    breaks: 'access that is refused again after its renewal ends the push as CRM_UNAUTHORIZED, at the second call',
    mutate: session((real) => ({
      async push(leads) {
        for (let times = 0; times < 5; times += 1) await real.push(leads).catch(() => [])
        return real.push(leads)
      },
    })),
  },
  {
    fault: 'tries later what is refused with new access, too',
    breaks: 'access that is refused again after its renewal ends the push as CRM_UNAUTHORIZED, at the second call',
    mutate: failing((error) => {
      throw new AppError('CRM_UNAVAILABLE', error.message, { retry: 'later' })
    }),
  },
  ...(['rate_limit', 'daily_limit'] as const).flatMap((kind): Mutation[] => {
    const breaks = `a ${kind} asks for a later try, tells the gate, writes nothing and is not knocked at again`
    return [
      {
        fault: 'keeps a limit to itself',
        breaks,
        mutate: options((given) => ({ ...given, gate: { ...given.gate, observe: () => {}, take: given.gate.take } })),
      },
      { fault: 'rejects leads for a limit', breaks, mutate: failing((_error, leads) => leads.map(() => rejected)) },
      {
        fault: 'knocks at a shut door',
        breaks,
        mutate: session((real) => ({
          push: (leads) =>
            real
              .push(leads)
              .catch(() => real.push(leads))
              .catch(() => real.push(leads)),
        })),
      },
    ]
  }),
  {
    fault: 'shuts an account for as long as a header says',
    breaks: 'a CRM that is too busy is tried later, and no header makes that later than an hour',
    mutate: failing((error) => {
      throw new AppError(error.code, error.message, { retry: { afterMs: 999_999_999_000 } })
    }),
  },
  {
    fault: 'gives leads up because the CRM is busy',
    breaks: 'a CRM that is too busy is tried later, and no header makes that later than an hour',
    mutate: failing((_error, leads) => leads.map(() => rejected)),
  },
  {
    fault: 'ignores an abort',
    breaks: 'an abort stops a call that hangs at once, and no call is sent after it',
    mutate: options((given) => ({ ...given, signal: new AbortController().signal })),
  },
  {
    fault: 'waits for a sign-in whoever has to stop',
    breaks: 'an abort stops a sign-in that hangs, too',
    mutate: options((given) => ({ ...given, signal: new AbortController().signal })),
  },
  ...(['reset_after_commit', 'timeout_after_commit'] as const).flatMap((kind): Mutation[] => {
    const breaks = `after a ${kind} the lead is unknown, is not sent again automatically, and pushing again leaves one record`
    return [
      { fault: 'takes a lost answer for a success', breaks, mutate: sayUnknownIs(claimed) },
      { fault: 'takes a lost answer for a refusal', breaks, mutate: sayUnknownIs(() => rejected) },
      {
        fault: 'throws although it may have written',
        breaks,
        mutate: session((real) => ({
          async push(leads) {
            const told = await real.push(leads)
            if (told.some(({ status }) => status === 'unknown')) throw new AppError('CRM_UNAVAILABLE', 'cut')
            return told
          },
        })),
      },
      {
        fault: 'sends again automatically what may have been written',
        breaks,
        mutate: session((real) => ({
          async push(leads) {
            const told = await real.push(leads)
            return told.some(({ status }) => status === 'unknown') ? real.push(leads) : told
          },
        })),
      },
    ]
  }),
  {
    fault: 'takes silence for a success',
    breaks: 'a lead that the reply omits is unknown, and a lookup settles it',
    mutate: sayUnknownIs(claimed),
  },
  {
    fault: 'takes silence for a refusal',
    breaks: 'a lead that the reply omits is unknown, and a lookup settles it',
    mutate: sayUnknownIs(() => rejected),
  },
  {
    fault: 'takes a 500 after a write for final',
    breaks: 'a failure of a server or a gateway is never final: the lead is unknown',
    mutate: sayUnknownIs(() => rejected),
  },
  {
    fault: 'takes a 502 after a write for a success',
    breaks: 'a failure of a server or a gateway is never final: the lead is unknown',
    mutate: sayUnknownIs((lead) => ({ ...claimed(lead), status: 'unchanged' }) as PushOutcome),
  },
  {
    fault: 'says of a 504 that nothing was sent',
    breaks: 'a failure of a server or a gateway is never final: the lead is unknown',
    mutate: sayUnknownIs(() => ({ ...rejected, status: 'deferred', afterMs: 1_000 }) as PushOutcome),
  },
  {
    fault: 'believes every 200',
    breaks: 'a success that says nothing of the leads acknowledges none',
    mutate: sayUnknownIs(claimed),
  },
  {
    fault: 'goes past the gate',
    breaks: 'every call to the CRM asks the gate first',
    mutate: options((given) => ({ ...given, gate: { take: async () => {}, observe: () => {} } })),
  },
  {
    fault: 'asks the gate when all is done',
    breaks: 'every call to the CRM asks the gate first',
    mutate(connector, sandbox) {
      const owed: (() => Promise<void>)[] = []
      const unasked = options((given) => ({
        ...given,
        gate: {
          take: async (calls, signal) => void owed.push(() => given.gate.take(calls, signal)),
          observe: (report) => given.gate.observe(report),
        },
      }))
      const asksThen = session((real) => ({
        async push(leads) {
          const told = await real.push(leads)
          for (const ask of owed.splice(0)) await ask()
          return told
        },
      }))
      return asksThen(unasked(connector, sandbox), sandbox)
    },
  },
  {
    fault: 'forgets what it wrote when a later call fails',
    breaks: 'at whichever call the gate shuts, what is thrown means nothing was written, and what was written is told',
    mutate: session((real) => ({ push: (leads) => oneByOne(real, leads) })),
  },
  {
    fault: 'goes on when the gate shuts',
    breaks: 'at whichever call the gate shuts, what is thrown means nothing was written, and what was written is told',
    mutate: options((given) => ({
      ...given,
      gate: {
        take: (calls, signal) => given.gate.take(calls, signal).catch(() => {}),
        observe: (report) => given.gate.observe(report),
      },
    })),
  },
]
