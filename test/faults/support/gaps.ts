/** Kills at every gap of a path that moves money or goods, each in a world of its own. */
import { expect } from 'vitest'
import type { TestDatabase } from '../../support/database.ts'
import { figure } from '../../support/figures.ts'
import { type Mortal, mortal } from './mortal.ts'

/** Of the gaps within a transaction, which PostgreSQL undoes alike wherever it ends, every so many are struck. */
const withinEvery = figure(5, 1)

export function gapsOf(database: TestDatabase) {
  const undying = () => mortal(database.db, Number.POSITIVE_INFINITY)
  const proved = async () => expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])

  /**
   * At each gap a world is made and killed there, then whoever goes on goes on twice, and the end is looked at. Before
   * that, twice without a death: the first also ends what other tests left to a job, and the second has the gaps.
   * @returns how many gaps there are.
   */
  async function atEveryGap<W>(
    world: () => Promise<W>,
    act: (process: Mortal, world: W) => Promise<unknown>,
    end: (world: W) => Promise<void>,
    goOn: (world: W) => Promise<unknown> = (made) => act(undying(), made),
  ): Promise<number> {
    const live = async (process: Mortal, gap?: number) => {
      const made = await world()
      const outcome = await act(process, made).then(
        () => undefined,
        (error: unknown) => error,
      )
      await proved()
      expect([gap, outcome]).toEqual([gap, process.died() ? expect.any(Error) : undefined])
      await goOn(made)
      await goOn(made)
      await end(made)
      await proved()
    }
    await live(undying())
    const undisturbed = undying()
    await live(undisturbed)
    const { gaps } = undisturbed
    for (const [gap, { isWithin }] of gaps.entries()) {
      if (isWithin && gap % withinEvery !== 0) continue
      const process = mortal(database.db, gap)
      await live(process, gap)
      expect([gap, process.died()]).toEqual([gap, true])
    }
    return gaps.length
  }
  return { atEveryGap }
}
