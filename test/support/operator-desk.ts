/**
 * An operator with a name of her own at the console of her own installation: tests press buttons on her page, check her
 * entries in the audit log, and ask the server for the result. Where no browser starts, the tests of the file are
 * skipped.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'
import { readInstance } from '../../src/db/embedded/instance-lock.ts'
import type { WatchedPage } from './browser.ts'
import { type ConsoleInstance, operatorToken, signedIn, startConsole } from './console-instance.ts'
import { laySampleWorld } from './sample-world.ts'
import { useConsole } from './use-console.ts'

const token = 'token-of-asha-in-the-console'
/**
 * Refusals that tests provoke: an approval over newer runs, columns for an unknown field, an import that does not exist, a
 * server that is not ready.
 */
const isExpected = (message: string) =>
  /\/approve|\/readyz|400 .*\/admin\/ingest\/runs\)$|404 .*\/admin\/ingest\/runs\/9{9}\)$/.test(message)

/** Timeout for what a worker does before it shows. */
export const patience = { timeout: 120_000 }

export interface Told {
  readonly action: string
  readonly subject: string
  readonly detail: object
}

export interface OperatorDesk {
  readonly instance: ConsoleInstance
  readonly page: Page
  /** The installation's own database, for states that no call can produce. */
  readonly db: Db
  /** Opens the dialog of an action, fills it in, and presses the button of the same name there, or another one. */
  press(
    within: Page | Locator,
    label: string,
    typed?: Readonly<Record<string, string>>,
    confirms?: string,
  ): Promise<void>
  /** The result of an action, before the dialog is closed. */
  closed(words: string | RegExp): Promise<void>
  /** Calls the API, with a body by POST; as this operator by default. */
  call<T>(path: string, body?: object, bearer?: string): Promise<T>
  /** The newest audit log entry about an action of hers. */
  told(action: string): Promise<Told | undefined>
}

/** Call at the top of a file. @returns the desk, for use within its tests. */
export function useOperatorDesk(): () => OperatorDesk {
  const instance = useConsole(() =>
    startConsole({ PANJI_OPERATORS: `asha:${token}`, PANJI_ALLOW_PRIVATE_SOURCES: 'true' }, laySampleWorld),
  )
  let desk: { readonly watched: WatchedPage; readonly db: Db } | undefined
  beforeEach(async () => {
    desk ??= await sitDown(instance())
  })
  afterEach(() => {
    expect(desk?.watched.faults.splice(0) ?? []).toEqual([])
  })
  afterAll(() => desk?.db.close())
  return () => {
    if (!desk) throw new Error('nobody sits there')
    return deskOf(instance(), desk.watched.page, desk.db)
  }
}

async function sitDown(instance: ConsoleInstance) {
  const connectionString = readInstance(instance.home.dataDir)?.databaseUrl ?? ''
  const watched = await signedIn(instance, '/console', isExpected, token)
  return { watched, db: openDb({ connectionString, applicationName: 'panji-test', connectionsMax: 1 }) }
}

function deskOf(instance: ConsoleInstance, page: Page, db: Db): OperatorDesk {
  const dialog = page.getByRole('dialog')
  async function call<T>(path: string, body?: object, bearer = operatorToken): Promise<T> {
    const reply = await fetch(`${instance.url}${path}`, {
      headers: { Authorization: `Bearer ${bearer}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return (await reply.json()) as T
  }
  return {
    ...{ instance, page, db, call },
    async press(within, label, typed = {}, confirms = label) {
      await within.getByRole('button', { name: label, exact: true }).first().click()
      for (const [field, text] of Object.entries(typed)) {
        const control = dialog.getByLabel(field, { exact: true })
        await control.waitFor()
        if ((await dialog.locator('select').and(control).count()) > 0) await control.selectOption(text)
        else await control.fill(text)
      }
      await dialog.getByRole('button', { name: confirms, exact: true }).click()
    },
    async closed(words) {
      await dialog.getByRole('status').getByText(words).waitFor()
      await dialog.getByRole('button', { name: 'Close', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    },
    async told(action) {
      const query = new URLSearchParams({ actor: 'operator:asha', action, limit: '1' })
      return (await call<{ data: readonly Told[] }>(`/admin/audit?${query}`)).data[0]
    },
  }
}
