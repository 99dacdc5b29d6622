/**
 * What those days have to have bought, from the notes of the story alone: neither the product's history, nor its conditions, nor
 * its functions for days and owners are asked. Each statement answers the rows that are wrong.
 */

/** Matches by the notes: on at the import, matching now, not as it was before, and for the first time. */
const expected = `CREATE TABLE story.expected AS
  WITH state AS (
    SELECT a.*, lag(capital) OVER (PARTITION BY cin ORDER BY day) AS before, lag(day) OVER (PARTITION BY cin ORDER BY day) AS day_before
    FROM story.arrival a
  ), beginning AS (
    SELECT w.standing_order_id, state.cin, state.day FROM story.wish w JOIN story.is_on USING (standing_order_id)
    JOIN state USING (day) JOIN story.reach USING (cin)
    WHERE state.capital BETWEEN w.least AND w.most AND (NOT w.has_mobile OR reach.mobile)
      AND CASE w.source WHEN 'feed' THEN state.day_before IS NULL
          ELSE state.day_before IS NULL OR NOT state.before BETWEEN w.least AND w.most END
  )
  SELECT standing_order_id, cin, min(day) AS day FROM beginning GROUP BY 1, 2`

/** What each run found, with the capital and the day of registration as of the import, and whether anybody can be reached. */
const found = `CREATE TABLE story.found AS
  SELECT expected.*, run.run_id, run.state AS run_state, run.reason, w.account_id, w.prefer, w.buys, w.budget_day, w.budget_month, w.budget_run,
         a.capital, a.registered_on, reach.mobile OR reach.email AS can_be_reached, decided.approved
  FROM story.expected JOIN story.wish w USING (standing_order_id) JOIN story.import USING (day) JOIN story.arrival a USING (day, cin)
  JOIN story.reach USING (cin)
  JOIN orders.standing_run run ON run.import_run_id = import.run_id AND run.standing_order_id = expected.standing_order_id
  LEFT JOIN story.decided ON decided.run_id = run.run_id`

const bought = `CREATE TABLE story.bought AS
  SELECT run.run_id, run.standing_order_id, item.identifier AS cin, purchase.order_id, purchase.account_id, note.day, note.place
  FROM orders.standing_run run JOIN orders.purchase ON purchase.standing_run_id = run.run_id JOIN orders.item USING (order_id)
  JOIN story.purchase note USING (order_id) WHERE NOT item.already_owned`

/** Run once, when the days are over: what `wrongs` compare. Each of them is read some ten times, so the planner is told their sizes. */
export const comparisons: readonly string[] = [
  expected,
  found,
  bought,
  'CREATE INDEX ON story.found (run_id, cin)',
  'CREATE INDEX ON story.bought (run_id, cin)',
  'CREATE INDEX ON story.bought (account_id, cin)',
  'ANALYZE story.expected, story.found, story.bought',
]

/**
 * The clock is the machine's, and what lies behind moves a day back for each that passes: of a month in India there are always as
 * many days as today's has, up to the one that is looked at.
 */
const ofMonth = (day: string): string =>
  `bought.day BETWEEN ${day} - extract(day FROM now() AT TIME ZONE 'Asia/Kolkata')::integer + 1 AND ${day}`

export const wrongs: Readonly<Record<string, string>> = {
  'a match that the notes do not have, or one that is missing': `WITH actual AS (SELECT m.standing_order_id, m.identifier AS cin, import.day FROM orders.standing_match m JOIN story.import ON import.run_id = m.import_run_id)
    (SELECT 'missing' AS wrong, * FROM story.expected EXCEPT SELECT 'missing', * FROM actual)
    UNION ALL (SELECT 'too many', * FROM actual EXCEPT SELECT 'too many', * FROM story.expected)`,
  'a purchase of what was not found, cannot be reached, was skipped, or is of one that only notifies': `
    SELECT bought.* FROM story.bought LEFT JOIN story.found USING (run_id, cin)
    WHERE found.cin IS NULL OR NOT found.can_be_reached OR NOT coalesce(found.approved, true) OR NOT found.buys`,
  'a record that an account bought twice within thirty days': `
    SELECT one.* FROM story.bought one JOIN story.bought other ON (one.account_id, one.cin) = (other.account_id, other.cin) AND one.place < other.place
    WHERE other.day - one.day < 30`,
  'a day, a month or a run beyond its budget': `
    SELECT 'day' AS of, standing_order_id, day::bigint AS at, count(*), min(budget_day) AS most FROM story.bought JOIN story.wish USING (standing_order_id)
    GROUP BY standing_order_id, day HAVING count(*) > min(budget_day)
    UNION ALL SELECT 'month', standing_order_id, at.day, count(*), min(budget_month) FROM story.bought JOIN story.wish USING (standing_order_id)
    JOIN story.import at ON ${ofMonth('at.day')} GROUP BY standing_order_id, at.day HAVING count(*) > min(budget_month)
    UNION ALL SELECT 'run', standing_order_id, run_id, count(*), min(budget_run) FROM story.bought JOIN story.wish USING (standing_order_id)
    GROUP BY standing_order_id, run_id HAVING count(*) > min(budget_run)`,
  // A run that waits for credits is over later than its import. Owned: bought by another standing order of the account in the thirty
  // days before the run was over. What an import changed again before that may match no longer.
  'a record left out though there was room': `WITH left_out AS (
      SELECT found.*, over.day AS over_on FROM story.found JOIN story.over USING (run_id)
      WHERE found.buys AND found.can_be_reached AND found.run_state = 'finished' AND coalesce(found.approved, true)
        AND NOT EXISTS (SELECT FROM story.bought WHERE (bought.run_id, bought.cin) = (found.run_id, found.cin))
        AND NOT EXISTS (SELECT FROM story.bought WHERE (bought.account_id, bought.cin) = (found.account_id, found.cin)
          AND over.day - bought.day BETWEEN 0 AND 29)
        AND NOT EXISTS (SELECT FROM story.arrival later WHERE later.cin = found.cin AND later.day > found.day AND later.day <= over.day)
    )
    SELECT left_out.* FROM left_out WHERE (SELECT count(*) FROM story.bought WHERE bought.run_id = left_out.run_id) < budget_run
      AND (SELECT count(*) FROM story.bought WHERE bought.standing_order_id = left_out.standing_order_id AND bought.day = over_on) < budget_day
      AND (SELECT count(*) FROM story.bought WHERE bought.standing_order_id = left_out.standing_order_id
             AND ${ofMonth('over_on')}) < budget_month`,
  'a record bought before one that is preferred': `
    SELECT worse.cin, better.cin AS better FROM story.bought JOIN story.found worse USING (run_id, cin) JOIN story.found better ON better.run_id = worse.run_id
    WHERE better.can_be_reached AND (SELECT count(DISTINCT order_id) FROM story.bought b WHERE b.run_id = worse.run_id) = 1
      AND NOT EXISTS (SELECT FROM story.bought b WHERE (b.run_id, b.cin) = (better.run_id, better.cin))
      AND NOT EXISTS (SELECT FROM story.bought b WHERE (b.account_id, b.cin) = (better.account_id, better.cin) AND bought.day - b.day BETWEEN 0 AND 29)
      AND NOT EXISTS (SELECT FROM story.arrival later WHERE later.cin = better.cin AND later.day > better.day AND later.day <= bought.day)
      AND NOT EXISTS (SELECT FROM story.arrival later WHERE later.cin = worse.cin AND later.day > worse.day AND later.day <= bought.day)
      AND CASE worse.prefer WHEN 'newest' THEN better.registered_on > worse.registered_on
          WHEN 'paidUpCapital desc' THEN better.capital > worse.capital ELSE better.capital < worse.capital END`,
  'a balance that is not what was given less what was bought': `WITH balance AS (
      SELECT owner_id AS account_id, sum(total - used) AS credits FROM ledger.lot JOIN ledger.account USING (ledger_account_id) GROUP BY 1
    )
    SELECT given.account_id, sum(given.credits) AS given, balance.credits
    FROM story.given LEFT JOIN balance USING (account_id) GROUP BY given.account_id, balance.credits
    HAVING sum(given.credits) - (SELECT count(*) FROM story.bought WHERE bought.account_id = given.account_id) <> coalesce(balance.credits, 0)`,
  'a run that waits though there are credits and room, at the end': `
    SELECT run.run_id FROM orders.standing_run run JOIN story.wish w USING (standing_order_id)
    WHERE run.state = 'open' AND (SELECT sum(total - used) FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
      WHERE owner_id = w.account_id) > 0 AND EXISTS (SELECT FROM story.is_on WHERE is_on.standing_order_id = w.standing_order_id
        AND day = (SELECT max(day) FROM story.import))`,
  'a first run that nobody looked at': `
    SELECT first.* FROM (SELECT DISTINCT ON (standing_order_id) * FROM orders.standing_run JOIN story.wish USING (standing_order_id)
      WHERE buys ORDER BY standing_order_id, run_id) first
    WHERE decided_at IS NULL AND first.state NOT IN ('skipped')`,
  'a purchase while its standing order was paused': `
    SELECT bought.* FROM story.bought WHERE NOT EXISTS (SELECT FROM story.is_on WHERE is_on.standing_order_id = bought.standing_order_id AND is_on.day = bought.day)`,
  'an order whose cause is not the import, the version and the budget of its run': `
    SELECT bought.order_id FROM story.bought JOIN orders.standing_run run USING (run_id) JOIN story.found USING (run_id, cin)
    WHERE run.version <> 1 OR run.budget <> jsonb_build_object('day', budget_day, 'month', budget_month, 'run', budget_run)`,
}
