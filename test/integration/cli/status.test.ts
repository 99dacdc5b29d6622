/** `panji status`, `panji runs` and `panji sample next-day` over an instance that has imported for years. */
import { afterAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'

const database = useTestDatabase()
const home = panjiHome({
  DATABASE_URL: database.url,
  PANJI_SECRET_KEY: 'secret-key-of-the-status-0123456789',
  PANJI_OPERATOR_TOKEN: 'operator-token-of-the-status',
})
afterAll(() => home.remove())

test('names what waits and every source however many runs came since, and the day that stands, also where the newest run was undone, failed or found nothing new', async () => {
  await database.db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, rows_read, inserted, undone_by, undo)
     VALUES ('pincodes', 'a.csv', 'snapshot', '2024-01-01', 'succeeded', now(), 5, 5, NULL, NULL),
            ('nic', 'a.csv', 'snapshot', '2024-02-01', 'needs_approval', NULL, 0, 0, NULL, NULL),
            ('contacts', 'a.csv', 'delta', '2024-03-01', 'succeeded', now(), 5, 5, NULL, NULL),
            ('contacts', 'b.csv', 'delta', '2024-04-01', 'succeeded', now(), 5, 5, 5, NULL),
            ('contacts', 'undo', 'delta', '2024-04-01', 'succeeded', now(), 0, 0, NULL, '{"run_id": 4}')`,
  )
  await database.db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, inserted)
     SELECT 'mca-companies', 'goa.csv', 'snapshot', date '2024-05-01' + run, CASE WHEN run = 1 THEN 'succeeded' ELSE 'no_op' END, now(), 0
     FROM generate_series(1, 250) AS run`,
  )
  await database.db.execute(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at) VALUES ('pincodes', 'b.csv', 'snapshot', '2026-01-01', 'failed', now())`,
  )
  const { answer } = await home.json('status')
  expect(answer).toMatchObject({
    runs_at_work: [],
    runs_that_wait: [2],
    sources: [
      { source: 'nic', run_id: 2, status: 'needs_approval', as_of: null },
      { source: 'contacts', run_id: 5, status: 'succeeded', as_of: '2024-03-01' },
      { source: 'mca-companies', run_id: 255, status: 'no_op', as_of: '2024-05-02' },
      { source: 'pincodes', run_id: 256, status: 'failed', as_of: '2024-01-01' },
    ],
  })
})

test('the list of runs says which one took a run back', async () => {
  const [undo] = await database.db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, undo)
     VALUES ('hsn-sac', 'undo', 'delta', '2024-01-01', 'succeeded', now(), '{"run_id": 1, "through": false, "reason": "the wrong file"}') RETURNING run_id AS id`,
  )
  const [taken] = await database.db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, rows_read, inserted, undone_by)
     VALUES ('hsn-sac', 'a.csv', 'snapshot', '2024-01-01', 'succeeded', now(), 5, 5, $1) RETURNING run_id AS id`,
    [undo?.id],
  )
  const { stdout } = await home.run('runs').ended
  expect(stdout).toMatch(new RegExp(`^${taken?.id} .* undone by run ${undo?.id}$`, 'm'))
})

test('the next day of the sample world is refused where real companies are the only ones, and none of them is changed in it', async () => {
  await database.db.execute(
    `INSERT INTO registry.company (cin, company_type, name, name_key, status, incorporated_on, state, first_run_id, last_run_id, as_of)
     VALUES ('U74999GA2019PTC000062', 'Company', 'Real', 'real', 'Active', '2019-01-01', 'Goa', 1, 1, '2025-01-01')`,
  )
  const { code, answer } = await home.json('sample', 'next-day')
  expect({ code, answer }).toMatchObject({ code: 1, answer: { error: { code: 'CONFLICT' } } })
})
