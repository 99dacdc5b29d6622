/**
 * Gives the pages under test the clock of this process, also where faketime shifts it. The browser itself runs on the
 * machine's clock: its many threads read the time so often that faketime would slow everything down. The pages' clock
 * is shifted instead.
 */
import type { Page } from 'playwright-core'

const [, seconds = '0'] = /^\+(\d+)s$/.exec(process.env['FAKETIME'] ?? '') ?? []
const shiftMs = Number(seconds) * 1000

/** The browser's environment: that of this process without what shifts clocks. */
export function browserEnv(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => name !== 'LD_PRELOAD' && !name.startsWith('FAKE'))
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Before the page is opened. */
export async function shiftDates(page: Page): Promise<void> {
  if (shiftMs === 0) return
  await page.addInitScript(`{
    const Own = Date
    globalThis.Date = class Date extends Own {
      constructor(...given) {
        if (given.length === 0) super(Own.now() + ${shiftMs})
        else super(...given)
      }
      static now() {
        return Own.now() + ${shiftMs}
      }
    }
  }`)
}
