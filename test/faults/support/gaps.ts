/** Kills at every gap of a path that moves money or goods, each in a world of its own. */
import { expect } from 'vitest'
import type { TestDatabase } from '../../support/database.ts'
import { type Mortal, mortal } from './mortal.ts'

export function gapsOf(database: TestDatabase) {
  const alive = (): Mortal => ({ db: database.db, call: (work) => work(), died: () => false })
  const proved = async () => expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])

  /**
   * At each gap a world is made and killed there, then whoever goes on goes on twice, and the end is looked at.
   * @returns how many gaps there were.
   */
  async function atEveryGap<W>(
    world: () => Promise<W>,
    act: (process: Mortal, world: W) => Promise<unknown>,
    end: (world: W) => Promise<void>,
    goOn: (world: W) => Promise<unknown> = (made) => act(alive(), made),
  ): Promise<number> {
    for (let gap = 0; ; gap++) {
      const made = await world()
      const process = mortal(database.db, gap)
      const outcome = await act(process, made).then(
        () => undefined,
        (error: unknown) => error,
      )
      await proved()
      if (process.died()) expect([gap, outcome]).toEqual([gap, expect.any(Error)])
      else expect([gap, outcome]).toEqual([gap, undefined])
      await goOn(made)
      await goOn(made)
      await end(made)
      await proved()
      if (!process.died()) return gap
    }
  }
  return { atEveryGap }
}
