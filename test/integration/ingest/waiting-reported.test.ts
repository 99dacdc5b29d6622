/** `panji ingest` says why its run does not begin, and continues automatically once that is fixed. */
import { afterAll, expect, test, vi } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture } from '../../support/ingest.ts'
import { type PanjiHome, panjiHome } from '../../support/panji-cli.ts'

const database = useTestDatabase()
const homes: PanjiHome[] = []
afterAll(() => {
  for (const home of homes) home.remove()
})

function homeAtDatabase(): PanjiHome {
  const home = panjiHome({
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: 'secret-key-of-the-waiting-0123456789',
    PANJI_OPERATOR_TOKEN: 'operator-token-of-the-waiting',
  })
  homes.push(home)
  return home
}

/** What the command says meanwhile: standard error. */
function startIngest(...parameters: string[]) {
  const command = homeAtDatabase().run('ingest', ...parameters)
  let said = ''
  command.child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  return { ...command, said: () => said }
}

/** A disk on which no table of the staging finds room. */
async function fillDisk(): Promise<() => Promise<void>> {
  await database.db.execute(
    `CREATE FUNCTION public.disk_is_full() RETURNS event_trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity LIKE 'ingest.stage\\_%') THEN
         RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
       END IF;
     END $$`,
  )
  await database.db.execute(
    'CREATE EVENT TRIGGER disk_is_full ON ddl_command_end EXECUTE FUNCTION public.disk_is_full()',
  )
  return async () => {
    await database.db.execute('DROP EVENT TRIGGER disk_is_full')
    await database.db.execute('DROP FUNCTION public.disk_is_full()')
  }
}

test('that the disk is full, when it is tried again, and then what came of it', async () => {
  const free = await fillDisk()
  const command = startIngest('nic', registryFixture('nic.csv'), '--as-of', '2025-10-01', '--json')
  await vi.waitFor(
    () =>
      expect(command.said()).toMatch(
        /Run 1 waits: The database's disk is full\..*No space left on device.* Next attempt at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d IST\./,
      ),
    { timeout: 60_000, interval: 50 },
  )
  await free()
  await database.db.execute(
    `UPDATE pgboss.job SET start_after = now() WHERE name = 'ingest-snapshot' AND state = 'created'`,
  )
  const { code, stdout } = await command.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ run_id: 1, status: 'succeeded' })
}, 60_000)

test('that another run of its source is at work', async () => {
  await database.db.execute(
    `INSERT INTO ingest.run (source, status, input, mode, as_of, requested_by)
     VALUES ('nic', 'merging', '/another.csv', 'snapshot', '2025-10-02', 'operator')`,
  )
  const command = startIngest('nic', registryFixture('nic.csv'), '--as-of', '2025-10-03')
  await vi.waitFor(() => expect(command.said()).toMatch(/Run \d+ waits for run \d+ of nic, which is merging\./), {
    timeout: 60_000,
    interval: 50,
  })
  command.child.kill('SIGTERM')
  await command.ended
}, 60_000)
