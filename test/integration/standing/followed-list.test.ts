/** A watchlist that a standing order follows: it is not deleted under it. */
import { expect, test } from 'vitest'
import { createWatchlist, deleteWatchlist } from '../../../src/access/watchlists.ts'
import { endStanding } from '../../../src/standing/switch.ts'
import { cinOf } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { createAccount } from '../orders/world.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const world = standingWorld(database, useIngest(database))

test('a watchlist that a standing order follows is deleted once that has ended, and others at any time', async () => {
  const accountId = await createAccount(database.db, 10)
  const { transaction } = database.as('panji_api')
  const list = (name: string) =>
    transaction((tx) =>
      createWatchlist(tx, accountId, { name, type: 'company', entities: [{ identifier: cinOf(1), name: 'One' }] }),
    )
  const [followed, other] = [await list('Followed'), await list('Other')]
  const watching = {
    name: 'Changes',
    source: 'watchlist',
    query: null,
    watchlistId: followed.id,
    buys: false,
    budget: null,
  } as const
  const { standingOrderId } = await world.activeOf(accountId, watching)
  const remove = (id: string) => transaction((tx) => deleteWatchlist(tx, accountId, id))
  const left = () =>
    database.db.query<{ name: string }>('SELECT name FROM access.watchlist WHERE account_id = $1 ORDER BY name', [
      accountId,
    ])

  await expect(remove(followed.id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'The standing order Changes follows this watchlist. End it first, or give it another one.',
    extra: { standing_order_id: standingOrderId },
  })
  await remove(other.id)
  expect(await left()).toEqual([{ name: 'Followed' }])
  await database.db.transaction((tx) => endStanding(tx, accountId, standingOrderId, { actor: `account:${accountId}` }))
  await remove(followed.id)
  expect(await left()).toEqual([])
})
