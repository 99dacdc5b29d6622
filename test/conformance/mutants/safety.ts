/** Connectors that tell secrets or go where they should not. */
import { randomUUID } from 'node:crypto'
import { CrmNetwork, type CrmReply } from '../../../connectors/crm-network.ts'
import { AppError } from '../../../src/errors.ts'
import { claimed, failing, type Mutation, session, settingsAs } from './wrappers.ts'

export const safetyMutations: readonly Mutation[] = [
  {
    fault: 'repeats settings in its errors',
    breaks: 'settings that are no settings are DESTINATION_INVALID, each fault is listed, and no value is repeated',
    mutate: settingsAs((input, real) => {
      try {
        return real.readSettings(input)
      } catch (error) {
        const { message, extra } = error as AppError
        throw new AppError('DESTINATION_INVALID', `${message}: ${JSON.stringify(input)}`, { extra: extra ?? {} })
      }
    }),
  },
  {
    fault: 'takes any settings',
    breaks: 'settings that are no settings are DESTINATION_INVALID, each fault is listed, and no value is repeated',
    mutate: settingsAs((input) => ({ remoteAccount: 'x', values: input as Record<string, unknown>, secretNames: [] })),
  },
  {
    fault: 'does not list the faults',
    breaks: 'settings that are no settings are DESTINATION_INVALID, each fault is listed, and no value is repeated',
    mutate: settingsAs((input, real) => {
      try {
        return real.readSettings(input)
      } catch {
        throw new AppError('DESTINATION_INVALID', 'The settings have faults')
      }
    }),
  },
  {
    fault: 'cannot read what it stored',
    breaks: 'settings that were stored read the same again',
    mutate: settingsAs((input, real) => {
      const settings = real.readSettings(input)
      return { ...settings, values: { ...settings.values, stored_at: 'now' } }
    }),
  },
  {
    fault: 'shows its secrets',
    breaks: 'each member of the settings that is a secret is named as one',
    mutate: settingsAs((input, real) => ({ ...real.readSettings(input), secretNames: ['sandbox_pass'] })),
  },
  {
    fault: 'logs its settings',
    breaks: 'no secret is printed, nor told by an error',
    mutate: (connector) => ({
      ...connector,
      open(settings, given) {
        console.error('opening', settings.values)
        return connector.open(settings, given)
      },
    }),
  },
  {
    fault: 'tells its credentials when they are refused',
    breaks: 'no secret is printed, nor told by an error',
    mutate: session((real, settings) => ({
      push: (leads) =>
        real.push(leads).catch((error: unknown) => {
          const { code, message } = error as AppError
          throw new AppError(code, message, { cause: new Error(`refused: ${JSON.stringify(settings.values)}`) })
        }),
    })),
  },
  {
    fault: 'logs the leads that were refused',
    breaks: 'no lead is printed',
    mutate: session((real) => ({
      async push(leads) {
        const told = await real.push(leads)
        told.forEach((each, n) => {
          if (each.status === 'rejected') process.stdout.write(`${JSON.stringify(leads[n]?.row)}\n`)
        })
        return told
      },
    })),
  },
  {
    fault: 'goes to any address',
    breaks: 'an address that is not the vendor’s is refused before anything is sent to it',
    mutate: settingsAs((input, real) => {
      try {
        return real.readSettings(input)
      } catch {
        return { remoteAccount: 'somewhere', values: input as Record<string, unknown>, secretNames: [] }
      }
    }),
  },
  {
    fault: 'follows redirects with the leads',
    breaks: 'a redirect is not followed, and acknowledges nothing',
    mutate: (connector) => connector,
    patch() {
      const real = Object.getOwnPropertyDescriptor(CrmNetwork.prototype, 'send')
      CrmNetwork.prototype.send = followRedirects
      return () => void Object.defineProperty(CrmNetwork.prototype, 'send', real ?? {})
    },
  },
  {
    fault: 'takes a redirect for a success',
    breaks: 'a redirect is not followed, and acknowledges nothing',
    mutate: failing((_error, leads) => leads.map(claimed)),
  },
  {
    fault: 'believes what somebody typed about the account',
    breaks: 'whose account it is, the CRM says, and says the same in every conversation',
    mutate: session((real, settings) => ({
      identify: async () => ({ ...(await real.identify()), account: settings.remoteAccount }),
    })),
  },
  {
    fault: 'gives an account a new name in every conversation',
    breaks: 'whose account it is, the CRM says, and says the same in every conversation',
    mutate: session((real) => ({ identify: async () => ({ ...(await real.identify()), account: randomUUID() }) })),
  },
]

async function followRedirects(this: CrmNetwork, request: Parameters<CrmNetwork['send']>[0]): Promise<CrmReply> {
  const { url, method, headers, body } = request
  const response = await fetch(url, {
    method,
    headers: headers ?? {},
    redirect: 'follow',
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}
