/**
 * The commands that destroy or close something: each has `--yes`, and at a terminal shows the figures below and asks
 * before it changes anything; without a terminal and without `--yes` it exits with 2 and changes nothing. Only the text
 * is loaded with the program; the figures are read when the question is asked.
 */
import type { Figures } from './figures.ts'

const accounts = () => import('./account-figures.ts')
const delivery = () => import('./delivery-figures.ts')
const money = () => import('./money-figures.ts')
const registers = () => import('./register-figures.ts')
const instance = () => import('./instance-figures.ts')

const figures: Readonly<Record<string, () => Promise<Figures>>> = {
  discard: async () => (await registers()).ofOpenRun,
  cancel: async () => (await registers()).ofOpenRun,
  'scope lower': async () => (await registers()).ofLoweredScopes,
  'history prune': async () => (await registers()).ofPrunedHistory,
  'sample remove': async () => (await registers()).ofSample,
  'account suspend': async () => (await accounts()).ofSuspension,
  'account revoke-grant': async () => (await accounts()).ofGrant,
  'account key revoke': async () => (await accounts()).ofKey,
  'suppress remove': async () => (await accounts()).ofObjections,
  'order refund': async () => (await money()).ofOrder,
  'payments refund': async () => (await money()).ofPayment,
  'standing-order end': async () => (await money()).ofStandingOrder,
  'subscription cancel': async () => (await money()).ofSubscription,
  'ledger close-month': async () => (await money()).ofMonth,
  'destination remove': async () => (await delivery()).ofDestination,
  'webhook remove': async () => (await delivery()).ofWebhook,
  'schedule remove': async () => (await instance()).ofSchedule,
  'operator revoke': async () => (await instance()).ofOperator,
  'operator totp': async () => (await instance()).ofSecondFactor,
  'secrets rotate': async () => (await instance()).ofLostKey,
}

/**
 * `restore` asks before there is a database to read figures from. The others do what they showed, even if there is more
 * of it when the answer comes.
 */
const askThemselves = ['restore', 'undo', 'jobs discard', 'payments write-off', 'subscription refund']

export const confirmedCommands: readonly string[] = [...Object.keys(figures), ...askThemselves]

export const loadFigures = async (path: string): Promise<Figures | undefined> => figures[path]?.()

export const yesHelp = 'do it without asking; required without a terminal'
