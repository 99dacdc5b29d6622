/** Turns the options of `panji standing-order create` into a draft that is checked and stored like a request. */
import { isIsoDate } from '../../domain/iso-date.ts'
import { screenerTypes } from '../../registry/screener/fields.ts'
import type { Draft } from '../../standing/draft.ts'
import { standingSources } from '../../standing/standing-order.ts'
import { WrongUsage } from '../wrong-usage.ts'

export interface StandingOptions {
  readonly name: string
  readonly source: string
  readonly type?: string
  readonly query?: string
  readonly screener?: string
  readonly watchlist?: string
  readonly day?: number
  readonly month?: number
  readonly run?: number
  readonly notifyOnly?: boolean
  readonly hasMobile?: boolean
  readonly hasEmail?: boolean
  readonly onlyActive?: boolean
  readonly prefer: string
  readonly destination?: string[]
  readonly schedule: string
  readonly ends?: string
  readonly active?: boolean
}

/** @throws WrongUsage for values outside the lists. */
export function draftOf(options: StandingOptions): Draft {
  const { name, day, month, run, ends, schedule } = options
  if (!/^(import|(monday )?([01][0-9]|2[0-3]):[0-5][0-9])$/.test(schedule)) {
    throw new WrongUsage('--schedule must be import, a time such as 08:00, or "monday 08:00".')
  }
  if (ends !== undefined && !isIsoDate(ends)) throw new WrongUsage('--ends must be a day, YYYY-MM-DD.')
  const amounts = [day, month, run].filter((each) => each !== undefined)
  const budget = day !== undefined && month !== undefined && run !== undefined ? { day, month, run } : null
  if (amounts.length > 0 && budget === null) throw new WrongUsage('A budget needs all of --day, --month and --run.')
  return {
    ...{ name, schedule, budget, prefer: options.prefer, buys: options.notifyOnly !== true },
    source: oneOf(standingSources, options.source, '--source'),
    type: options.type === undefined ? undefined : oneOf(screenerTypes, options.type, '--type'),
    ...{ query: options.query ?? null, screenerId: options.screener ?? null, watchlistId: options.watchlist ?? null },
    hasMobile: options.hasMobile === true,
    hasEmail: options.hasEmail === true,
    activeOnly: options.onlyActive === true,
    destinations: options.destination ?? [],
    mappings: {},
    endsOn: ends ?? null,
  }
}

function oneOf<T extends string>(words: readonly T[], word: string, option: string): T {
  const found = words.find((each) => each === word)
  if (found === undefined) throw new WrongUsage(`${option} must be ${words.join(' or ')}.`)
  return found
}
