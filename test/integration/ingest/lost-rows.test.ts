import { expect, test } from 'vitest'
import { companyRange } from '../../faults/support/snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const ingest = useIngest(database)

/** As a server, a pooler or a network would that lost the end of a COPY. */
async function loseRows(): Promise<void> {
  await database.db.execute(
    `CREATE FUNCTION public.lose_row() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF NEW.ordinal > 7 THEN RETURN NULL; END IF; RETURN NEW; END $$`,
  )
  await database.db.execute(
    `CREATE FUNCTION lose_rows() RETURNS event_trigger LANGUAGE plpgsql AS
     $$ DECLARE made text;
     BEGIN
       FOR made IN SELECT object_identity FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table' AND object_identity ~ '^ingest.stage_' LOOP
         EXECUTE format('CREATE TRIGGER lose_row BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION public.lose_row()', made);
       END LOOP;
     END $$`,
  )
  await database.db.execute(
    `CREATE EVENT TRIGGER lose_rows ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION lose_rows()`,
  )
}

test('rows that the database did not take fail the run, and do not pass for unchanged ones', async () => {
  await loseRows()
  const input = ingest.file('companies.csv', companyRange(1, 20))
  await expect(ingest.ingest('mca-companies', input)).rejects.toThrow('the database took 7 of 20 records')
  const [run] = await database.db.query('SELECT status, inserted FROM ingest.run')
  expect(run).toMatchObject({ status: 'failed', inserted: 0 })
  expect(await database.db.query('SELECT FROM registry.company')).toEqual([])
})
