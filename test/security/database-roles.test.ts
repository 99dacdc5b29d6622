/**
 * What a statement of an attacker may do who got as far as running one: on the connections of requests, and on those of
 * jobs. The roles log in by themselves here, as they do beside the embedded database.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { proofOf, storedProof } from '../../src/access/operator-proof.ts'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type AppRole, appRoles } from '../../src/db/roles.ts'
import { grantCredits } from '../../src/orders/ledger.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const refused = { code: '42501' }
const appSchemas = `('registry', 'reference', 'ingest', 'feed', 'access', 'ledger', 'orders', 'deliver', 'runtime', 'pgboss')`

let accountId: string

beforeAll(async () => {
  // A copied database has not the rights of its template on itself.
  await database.db.execute(`DELETE FROM runtime.sql_function WHERE name = 'roles'`)
  await migrate(database.db)
  const [account] = await database.db.query<{ id: string }>(
    `INSERT INTO access.account (email, username) VALUES ('a@example.in', 'a') RETURNING account_id AS id`,
  )
  accountId = account?.id ?? ''
  await database.db.transaction((tx) => grantCredits(tx, accountId, 5, 'grant:roles'))
  await database.db.execute(
    `INSERT INTO access.operator (operator_id, name, role, token_sha256) VALUES ($1, 'meera', 'owner', $2)`,
    [meera.id, storedProof(meera.token)],
  )
  await database.db.execute(`INSERT INTO access.audit (actor, action, subject) VALUES ('system', 'stand', 'here')`)
})

const meera = { id: '018f0000-0000-7000-8000-00000000000a', token: 'the token that meera was given' }
/** @param proof that the statement shows. */
const actedBy = (actor: string, credential = 'x', proof = '') =>
  `WITH shown AS MATERIALIZED (SELECT set_config('panji.operator_proofs', '${proof}', true))
   INSERT INTO access.audit (actor, action, subject, credential) SELECT '${actor}', 'loot', 'x', '${credential}' FROM shown`

const beyondBoth: readonly (readonly [string, string])[] = [
  ['drops a trigger of the ledger', 'DROP TRIGGER transfer_append_only ON ledger.transfer'],
  ['switches the triggers of the ledger off', 'ALTER TABLE ledger.transfer DISABLE TRIGGER ALL'],
  ['leaves the triggers out as a replica does', `SET session_replication_role = 'replica'`],
  [
    'replaces a function of the ledger',
    'CREATE OR REPLACE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  ],
  ['changes a function of the ledger', 'ALTER FUNCTION ledger.move_balances() RENAME TO unmoved'],
  ['runs a program', `COPY (SELECT 1) TO PROGRAM 'true'`],
  ['reads from a program', `COPY ledger.transfer FROM PROGRAM 'true'`],
  ['reads a file of the server', `SELECT pg_read_file('/etc/passwd')`],
  ['writes a file of the server', `COPY (SELECT 1) TO '/tmp/panji-roles'`],
  ['deletes an entry', 'DELETE FROM ledger.entry'],
  ['changes an entry', 'UPDATE ledger.entry SET amount = 1'],
  ['empties the ledger', 'TRUNCATE ledger.transfer CASCADE'],
  ['deletes a transfer', 'DELETE FROM ledger.transfer'],
  [
    'writes a transfer',
    `INSERT INTO ledger.transfer (kind, reference, amount, actor) VALUES ('grant', 'loot', 5, 'x')`,
  ],
  ['makes a ledger account', `INSERT INTO ledger.account (kind) VALUES ('issued')`],
  ['writes a balance', 'UPDATE ledger.account SET balance = 1000'],
  ['makes a lot', `INSERT INTO ledger.lot (ledger_account_id, type) VALUES (1, 'granted')`],
  ['writes a lot', 'UPDATE ledger.lot SET total = 1000'],
  ['lets the credits of one customer go', 'SELECT ledger.expire_ended(1)'],
  ['changes the audit', `UPDATE access.audit SET actor = 'nobody'`],
  ['deletes from the audit', 'DELETE FROM access.audit'],
  ['changes the history', `UPDATE ingest.change SET kind = 'insert'`],
  ['deletes history', 'DELETE FROM ingest.change'],
  ['changes a payment', `UPDATE orders.payment SET amount = 0`],
  ['deletes an account', 'DELETE FROM access.account'],
  ['deletes an order', 'DELETE FROM orders.purchase'],
  ['rewrites what was migrated', `DELETE FROM runtime.migration`],
  ['makes a table in public', 'CREATE TABLE public.loot (a integer)'],
  ['makes a table in the ledger', 'CREATE TABLE ledger.loot (a integer)'],
  ['makes a table among the accounts', 'CREATE TABLE access.loot (a integer)'],
  ['makes a schema', 'CREATE SCHEMA loot'],
  ['makes a role', 'CREATE ROLE loot SUPERUSER'],
  ['raises itself', 'ALTER ROLE CURRENT_USER SUPERUSER'],
  ['reads the passwords', 'SELECT rolpassword FROM pg_authid'],
  ['becomes the owner', 'SET ROLE panji_owner'],
  ['becomes the superuser', 'SET ROLE panji'],
  ['becomes the superuser for the session', 'SET SESSION AUTHORIZATION panji'],
  ['reads the settings of the server', `SELECT pg_reload_conf()`],
]

const beyond: Readonly<Record<AppRole, readonly (readonly [string, string])[]>> = {
  panji_api: [
    ...beyondBoth,
    ['makes a temporary table', 'CREATE TEMPORARY TABLE loot (a integer)'],
    ['makes a table among the runs', 'CREATE TABLE ingest.loot (a integer)'],
    ['makes a table among the registers', 'CREATE TABLE registry.loot (a integer)'],
    ['changes a register', `UPDATE registry.company SET name = 'x'`],
    ['empties a register', 'TRUNCATE registry.company'],
    ['changes a run', `UPDATE ingest.run SET status = 'succeeded'`],
    ['prunes the history', `SELECT ingest.prune_changes('2020-01-01')`],
    ['reads what is scheduled', 'SELECT * FROM runtime.schedule'],
    [
      'hands the worker a path',
      `SELECT ingest.ask_run('mca-companies', '/data/operator-token', 'snapshot', NULL, false, 'operator', NULL, NULL, false)`,
    ],
    [
      'hands the worker a path as an upload',
      `SELECT ingest.ask_run_over_http('mca-companies', '/data/operator-token', 'snapshot', NULL, false, 'operator', NULL, false)`,
    ],
    [
      'climbs out of the uploads',
      `SELECT ingest.ask_run_over_http('mca-companies', '/data/spool/uploads/../../operator-token', 'snapshot', NULL, false, 'operator', NULL, false)`,
    ],
    [
      'asks for a run in the name of a schedule',
      `SELECT ingest.ask_run_over_http('mca-companies', 'https://example.in/a.csv', 'snapshot', NULL, false, 'schedule', NULL, false)`,
    ],
    [
      'schedules a path',
      `SELECT runtime.keep_address_schedule('loot', '0 0 * * *', 'UTC', 'fetch-source', '{"source": "mca-companies", "input": "/data/operator-token"}')`,
    ],
    [
      'schedules a path in the place of the schedule that has it',
      `SELECT runtime.keep_folder_schedule('loot', '0 0 * * *', 'UTC', 'mca-companies', '/data/operator-token')`,
    ],
    ['takes a job', `UPDATE pgboss.job SET state = 'active'`],
    ['drops a job', 'DELETE FROM pgboss.job'],
    [
      'hands the worker a path as a job',
      `INSERT INTO pgboss.job_common (name, data, dead_letter)
       VALUES ('fetch-source', '{"source": "mca-companies", "input": "/data/operator-token"}', 'dead-letter')`,
    ],
    [
      'hands the worker a path by the way around the partition',
      `INSERT INTO pgboss.job (name, data, dead_letter)
       VALUES ('fetch-source', '{"source": "mca-companies", "input": "/data/operator-token"}', 'dead-letter')`,
    ],
    [
      'hands the worker a path as a job that failed',
      `INSERT INTO pgboss.job_common (name, data, state) VALUES ('dead-letter', '{"input": "/data/operator-token"}', 'created')`,
    ],
    [
      'hands the worker a path as a dead letter of another queue',
      `INSERT INTO pgboss.job_common (name, data, dead_letter, retry_limit)
       VALUES ('build-leads', '{"source": "mca-companies", "input": "/data/operator-token"}', 'fetch-source', 0)`,
    ],
    [
      'says where a dead letter came from',
      `INSERT INTO pgboss.job_common (name, data, dead_letter, source_name) VALUES ('build-leads', '{}', 'dead-letter', 'fetch-source')`,
    ],
    ['makes a queue', `SELECT pgboss.create_queue('loot', '{}')`],
    ['says that the terminal acted', actedBy('operator')],
    ['says that an operator acted who is none', actedBy('operator:loot', 'loot')],
    ['says that a stored operator acted without the credential', actedBy('operator:meera', 'loot')],
    ['says that a stored operator acted as one of the environment', actedBy('operator:meera', 'environment')],
    ['says that a stored operator acted, by the id alone', actedBy('operator:meera', meera.id)],
    ['says that a stored operator acted, by a guess', actedBy('operator:meera', meera.id, 'ab'.repeat(32))],
    ['says that a stored operator acted, by what is no proof', actedBy('operator:meera', meera.id, 'zz,,\\x00')],
    [
      'says that a stored operator acted, by what the database holds of the token',
      `WITH shown AS MATERIALIZED (
         SELECT set_config('panji.operator_proofs', (SELECT encode(token_sha256, 'hex') FROM access.operator WHERE name = 'meera'), true))
       INSERT INTO access.audit (actor, action, subject, credential) SELECT 'operator:meera', 'loot', 'x', '${meera.id}' FROM shown`,
    ],
    ['gives an operator another token', `UPDATE access.operator SET token_sha256 = 'x'`],
    ['gives an operator another name', `UPDATE access.operator SET name = 'loot'`],
    [
      'puts a session of an operator',
      `INSERT INTO access.console_session (secret_sha256, operator_id, expires_at) VALUES ('x', '${meera.id}', now())`,
    ],
    ['gives a session of an operator another secret', `UPDATE access.console_session SET secret_sha256 = 'x'`],
    [
      'opens a session of an operator without the token',
      `SELECT access.open_console_session('x', '${meera.id}', NULL, NULL, NULL, 1, NULL)`,
    ],
    [
      'opens a session of an operator by what the database holds of the token',
      `SELECT access.open_console_session('x', '${meera.id}', NULL, NULL, NULL, 1, encode(token_sha256, 'hex')) FROM access.operator`,
    ],
    [
      'puts a view of an operator',
      `INSERT INTO access.session (account_id, viewer_id, refresh_sha256, expires_at) VALUES (NULL, '${meera.id}', 'x', now())`,
    ],
    [
      'opens a view of an operator without the token',
      `SELECT access.open_account_view(NULL, '${meera.id}', 'meera', 'x', NULL, 1, '${'ab'.repeat(32)}')`,
    ],
    ['makes a view of a session', `UPDATE access.session SET viewer_id = '${meera.id}'`],
    ['says that nobody known acted', actedBy('terminal')],
    [
      'says for one account that another acted',
      `WITH mine AS MATERIALIZED (SELECT set_config('panji.account', '018f0000-0000-7000-8000-000000000001', true))
       INSERT INTO access.audit (actor, action, subject) SELECT 'account:018f0000-0000-7000-8000-000000000002', 'loot', 'x' FROM mine`,
    ],
    ['becomes the worker', 'SET ROLE panji_worker'],
    ['becomes who trades', 'SET ROLE panji_trade'],
    ['settles a kind of ledger account anew', 'UPDATE ledger.account SET owner_id = NULL'],
  ],
  panji_worker: [
    ...beyondBoth,
    ['makes a table among the runs', 'CREATE TABLE ingest.loot (a integer)'],
    ['makes a function among the registers', 'CREATE FUNCTION registry.loot() RETURNS integer RETURN 1'],
    ['makes a function in the temporary schema of nobody', 'CREATE FUNCTION public.loot() RETURNS integer RETURN 1'],
    ['puts a policy on a register', 'CREATE POLICY loot ON registry.company USING (true)'],
    [
      'puts a trigger on a register',
      'CREATE TRIGGER loot BEFORE INSERT ON registry.company EXECUTE FUNCTION ingest.clean()',
    ],
    ['puts a default on a register', `ALTER TABLE registry.company ALTER COLUMN name SET DEFAULT 'x'`],
    ['puts a rule on a register', 'CREATE RULE loot AS ON INSERT TO registry.company DO ALSO NOTIFY loot'],
    ['hands a register on', 'ALTER TABLE registry.company OWNER TO panji_api'],
    ['empties a register by its truncation', 'TRUNCATE registry.company'],
    ['drops a register', 'DROP TABLE registry.company CASCADE'],
    ['changes a feed', 'CREATE OR REPLACE VIEW feed.company AS SELECT 1 AS one'],
    ['works in a table of another name', `SELECT ingest.make_work_table('loot', 1, '{a}', '{text}')`],
    ['works in a table of its own types', `SELECT ingest.make_work_table('stage', 1, '{a}', '{access.audit}')`],
    ['gives the accounts a shadow table', `SELECT ingest.make_shadow('access.operator')`],
    ['gives a new place to the accounts', `SELECT ingest.swap_shadow('access.operator')`],
    ['asks for the statistics of the accounts', `SELECT ingest.gather_statistics('access.operator', NULL)`],
    ['makes a code to sign in with', `INSERT INTO access.sign_in_code (code_sha256, account_id) VALUES ('x', NULL)`],
    [
      'sends a link to sign in with that nobody asked for',
      `INSERT INTO deliver.mail (account_id, type, about, data, next_attempt_at)
       SELECT account_id, 'sign-in', 'sign-in', '{}', now() FROM access.account`,
    ],
    ['turns an e-mail into a link to sign in with', `UPDATE deliver.mail SET type = 'sign-in'`],
    ['sends an e-mail to another account', 'UPDATE deliver.mail SET account_id = NULL'],
    ['says that the terminal acted', actedBy('operator')],
    ['says that an operator acted', actedBy('operator:meera', 'environment')],
    ['says that an account acted', actedBy('account:018f0000-0000-7000-8000-000000000001')],
    ['makes a function beside the queue', 'CREATE FUNCTION pgboss.loot() RETURNS integer RETURN 1'],
    ['replaces the clock of the queue', 'CREATE OR REPLACE FUNCTION pgboss.job_now() RETURNS timestamptz RETURN now()'],
    ['makes a table beside the queue', 'CREATE TABLE pgboss.loot (a integer)'],
    [
      'leaves a command to the next migration',
      `INSERT INTO pgboss.bam (name, version, status, table_name, command) VALUES ('loot', 1, 'pending', 'job', 'SELECT 1')`,
    ],
    ['puts a policy on the queue', 'CREATE POLICY loot ON pgboss.job USING (true)'],
    [
      'puts a trigger on the queue',
      'CREATE TRIGGER loot BEFORE INSERT ON pgboss.job_common FOR EACH ROW EXECUTE FUNCTION access.refuse_audit_change()',
    ],
    ['puts a default on the queue', `ALTER TABLE pgboss.job_common ALTER COLUMN data SET DEFAULT '{}'`],
    ['lifts the bounds of who sends', 'ALTER TABLE pgboss.job_common DISABLE ROW LEVEL SECURITY'],
    ['reads the ledger', 'SELECT * FROM ledger.entry'],
    ['grants credits', `SELECT ledger.grant_credits(NULL, 5, 'granted', NULL, 'loot', 'x', NULL)`],
    ['spends credits', `SELECT ledger.take_credits('spend', NULL, 5, NULL, NULL, 'loot', 'x', NULL)`],
    ['reads the keys', 'SELECT * FROM access.api_key'],
    ['reads the sessions', 'SELECT refresh_sha256 FROM access.session'],
    ['reads the signing keys', 'SELECT private_encrypted FROM access.signing_key'],
    ['makes an account', `INSERT INTO access.account (email, username) VALUES ('b@example.in', 'b')`],
    ['marks an order as paid', `UPDATE orders.purchase SET payment_status = 'paid'`],
    ['becomes the API', 'SET ROLE panji_api'],
    ['becomes who trades', 'SET ROLE panji_trade'],
  ],
  panji_trade: [
    ...beyondBoth,
    ['makes a temporary table', 'CREATE TEMPORARY TABLE loot (a integer)'],
    ['makes a table among the registers', 'CREATE TABLE registry.loot (a integer)'],
    ['changes a register', `UPDATE registry.company SET name = 'x'`],
    ['reads the keys', 'SELECT * FROM access.api_key'],
    ['reads the sessions', 'SELECT * FROM access.session'],
    ['makes a code to sign in with', `INSERT INTO access.sign_in_code (account_id) VALUES (NULL)`],
    ['reads the signing keys', 'SELECT * FROM access.signing_key'],
    ['makes an operator', `INSERT INTO access.operator (name) VALUES ('loot')`],
    ['makes an account', `INSERT INTO access.account (email, username) VALUES ('b@example.in', 'b')`],
    ['suspends an account', 'UPDATE access.account SET suspended_at = now()'],
    ['reads the audit', 'SELECT * FROM access.audit'],
    ['reads a destination', 'SELECT * FROM deliver.destination'],
    ['takes a job', `UPDATE pgboss.job SET state = 'active'`],
    [
      'hands the worker a path as a job',
      `INSERT INTO pgboss.job_common (name, data, dead_letter)
       VALUES ('fetch-source', '{"source": "mca-companies", "input": "/data/operator-token"}', 'dead-letter')`,
    ],
    ['says that the terminal acted', actedBy('operator')],
    ['says that an operator acted', actedBy('operator:meera', 'environment')],
    ['becomes the API', 'SET ROLE panji_api'],
    ['becomes the worker', 'SET ROLE panji_worker'],
  ],
}

for (const role of appRoles) {
  describe(role, () => {
    for (const [act, statement] of beyond[role]) {
      test(`no connection of its ${act}`, async () => {
        await expect(database.as(role).execute(statement)).rejects.toMatchObject(refused)
      })
    }
  })
}

test('the database logs the roles in as themselves, without the attributes of an administrator', async () => {
  for (const role of appRoles) {
    const [who] = await database.as(role).query(
      `SELECT session_user::text AS session, current_user::text AS current, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication
         FROM pg_roles WHERE rolname = current_user`,
    )
    expect(who).toEqual({
      ...{ session: role, current: role },
      ...{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: false },
    })
  }
})

test('who acted is told by each as far as the connection goes: the terminal, the operator with the credential, the account, the system', async () => {
  const { db } = database
  const told = async (by: Db, actor: string, credential?: string, proof?: string) =>
    expect(await by.execute(actedBy(actor, credential, proof))).toBe(1)
  await told(db, 'operator')
  for (const role of appRoles) await told(database.as(role), 'system')
  await told(database.as('panji_trade'), `account:${accountId}`)
  const api = database.as('panji_api')
  await told(api, 'anonymous')
  await told(api, `account:${accountId}`)
  await told(api, 'operator:meera', meera.id, `${'ab'.repeat(32)},${proofOf(meera.token)}`)
  await api.query(`SELECT access.open_console_session($1, $2, NULL, NULL, NULL, 1, $3)`, [
    storedProof('secret of the browser'),
    meera.id,
    proofOf(meera.token),
  ])
  await told(api, 'operator:meera', meera.id, proofOf('secret of the browser'))
  await told(api, 'operator:default', 'environment')
  // A role that the owner's login has put on counts, and not the login.
  for (const role of appRoles) {
    const act = db.transaction(async (tx) => {
      await tx.execute(`SET LOCAL ROLE ${role}`)
      await tx.execute(actedBy('operator'))
    })
    await expect(act).rejects.toMatchObject(refused)
  }
})

test('the history is pruned by the one function, and only before the day that was written down', async () => {
  const worker = database.as('panji_worker')
  await expect(
    worker.transaction(async (tx) => {
      await tx.execute(`INSERT INTO ingest.history_retention (retained_from) VALUES ('2020-01-01')`)
      await tx.query(`SELECT ingest.prune_changes('2021-01-01')`)
    }),
  ).rejects.toThrow('history is kept from a day before')
})

/** Tables and views that neither role owns or was granted, on purpose. */
async function relations(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT nspname || '.' || relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname IN ${appSchemas} ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

test('every table of every schema has its line among the grants', async () => {
  const text = readFileSync(new URL('../../migrations/roles/grants.sql', import.meta.url), 'utf8').replaceAll(
    /--.*$/gm,
    '',
  )
  const named = new Set(text.match(/\b[a-z]+\.[a-z_]+\b/g))
  const all = await relations(database.db)
  expect(all.length).toBeGreaterThan(45)
  // The queue is told to keep no figures, so nobody fills these.
  expect(all.filter((name) => !named.has(name) && !name.startsWith('pgboss.queue_stats'))).toEqual([])
})

test('everything belongs to the owner, and no other role makes anything in a schema of Panji', async () => {
  const rows = await database.db.query<{ owner: string }>(
    `SELECT DISTINCT pg_get_userbyid(owner) AS owner FROM (
       SELECT relowner AS owner FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE relkind IN ('r', 'p', 'v') AND nspname IN ${appSchemas}
       UNION ALL SELECT proowner FROM pg_proc p WHERE pronamespace::regnamespace::text IN ${appSchemas}
       UNION ALL SELECT nspowner FROM pg_namespace WHERE nspname IN ${appSchemas}
     ) things`,
  )
  expect(rows).toEqual([{ owner: 'panji_owner' }])
  const creating = await database.db.query(
    `SELECT rolname, nspname FROM pg_roles, pg_namespace
     WHERE rolname = ANY($1) AND nspname IN ${appSchemas} AND has_schema_privilege(rolname, nspname, 'CREATE')`,
    [appRoles],
  )
  expect(creating).toEqual([])
})

test('what runs with the rights of its owner finds nothing in the temporary schema of its caller', async () => {
  expect(
    await database.db.query(
      `SELECT oid::regprocedure::text AS name FROM pg_proc
       WHERE pronamespace::regnamespace::text IN ${appSchemas} AND prosecdef
         AND NOT coalesce(proconfig @> '{"search_path=pg_catalog, pg_temp"}', false)`,
    ),
  ).toEqual([])
})

test('nothing is granted to everybody, in any schema of Panji', async () => {
  expect(
    await database.db.query(
      `SELECT c.oid::regclass::text AS name FROM pg_class c, aclexplode(c.relacl) acl
       WHERE acl.grantee = 0 AND c.relnamespace::regnamespace::text IN ${appSchemas}`,
    ),
  ).toEqual([])
})
