/**
 * Faults that money had, planted again one by one: the lives of money-life.test.ts find each of them, and as early as that file tells
 * them.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { foundFirst } from '../../support/found-first.ts'
import { ordinary, useLives } from './money-life/use-lives.ts'

/** A function of the database with one thing in it changed. */
function changed(name: string, from: string, to: string): string {
  const text = readFileSync(new URL(`../../../migrations/functions/${name}.sql`, import.meta.url), 'utf8')
  expect(text.split(from)).toHaveLength(2)
  return text.replace(from, () => to)
}
const refusing = (table: string, condition: string): string => `
  CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF ${condition} THEN RAISE 'refused' USING ERRCODE = 'check_violation'; END IF; RETURN NEW; END $$;
  CREATE TRIGGER refused BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION public.refuse();`

/** Each with the life that found it when it was last looked for, which is told first. */
const faults: readonly (readonly [string, number, () => string])[] = [
  [
    'a refund of what was earned already is refused, because it takes what is unearned alone',
    14,
    () =>
      changed(
        'ledger.post_money',
        'BEGIN\n',
        `BEGIN\n  IF p_kind IN ('unearn', 'unlapse') THEN p_kind := 'unsell'; END IF;\n`,
      ),
  ],
  [
    'the refund of one sale takes the credits of another',
    2,
    () =>
      changed(
        'ledger.revoke_from_lot',
        'SELECT least(p_credits, l.total - l.used) INTO going FROM ledger.lot AS l\n  WHERE l.lot_id = p_lot AND l.ledger_account_id = customer.ledger_account_id;',
        `SELECT least(p_credits, l.total - l.used), l.lot_id INTO going, p_lot FROM ledger.lot AS l
         WHERE l.type = 'purchased' AND l.ledger_account_id = customer.ledger_account_id ORDER BY l.total - l.used DESC LIMIT 1;`,
      ),
  ],
  [
    'goods go on though their money was charged back',
    6,
    () => changed('orders.take_sale_back', 'IF NOT p_whole THEN RETURN; END IF;', 'RETURN;'),
  ],
  [
    'rows that are held are read for nothing',
    1,
    () => changed('ledger.settle_read', 'IF NOT EXISTS (', 'IF true OR NOT EXISTS ('),
  ],
  [
    'a payment of another sum is refused and not recorded',
    2,
    () => refusing('orders.payment_event', `NEW.outcome = 'mismatch'`),
  ],
  [
    'a chargeback after a partial refund is refused',
    4,
    () =>
      refusing(
        'orders.repayment',
        `NEW.amount + (SELECT coalesce(sum(amount), 0) FROM orders.repayment WHERE payment_id = NEW.payment_id)
         > (SELECT amount FROM orders.payment WHERE payment_id = NEW.payment_id)`,
      ),
  ],
]

describe.each(faults)('planted: %s', (_name, finder, plant) => {
  const world = useLives()
  beforeAll(async () => {
    await world.database.db.execute(plant())
  })

  test('a life parts from its model', { timeout: 600_000 }, async () => {
    let found: unknown
    for (const seed of foundFirst(finder, 1, ordinary.lives)) {
      found = await world.live(seed).catch((error: unknown) => error)
      if (found !== undefined) break
    }
    expect(String(found)).toMatch(/^Error: life \d+ parts from its model/)
  })
})
