/** Another process that opens destinations of a database and asks their CRMs: it knows nothing of what the test's own has bought. */

import type { CrmSession } from '../../../connectors/contract.ts'
import { connectors } from '../../../connectors/index.ts'
import { openDb } from '../../../src/db/db.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { Secret } from '../../../src/domain/secret.ts'

export interface Asked {
  readonly id: number
  readonly act: 'open' | 'describe' | 'limits'
  readonly destinationId: string
}
export interface Answered {
  readonly id: number
  readonly failure: string | null
}

const [url = '', key = '', settings = '{}'] = process.argv.slice(2)
const db = openDb({ connectionString: url, applicationName: 'panji-test-elsewhere', settings: JSON.parse(settings) })
const parts = { db, connectors, secretKey: new Secret(key) }
const { signal } = new AbortController()
const sessions = new Map<string, CrmSession>()

async function act({ act: what, destinationId }: Asked): Promise<void> {
  if (what === 'open') {
    const row = await readDestination(db, destinationId)
    sessions.set(destinationId, openDestination(parts, row, signal).session)
  } else await sessions.get(destinationId)?.[what]()
}

process.on('message', (asked: Asked) => {
  act(asked).then(
    () => process.send?.({ id: asked.id, failure: null } satisfies Answered),
    (error: unknown) => process.send?.({ id: asked.id, failure: String(error) } satisfies Answered),
  )
})
process.on('disconnect', () => process.exit())
