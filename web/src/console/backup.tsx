/** A backup is taken and put back at the machine, for its file holds the keys; here stand the commands to type. */
import { Command } from '../look/command.tsx'
import { Page } from '../look/page.tsx'

export default function Backup() {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())
  const file = `panji-${day}.tar.gz`
  return (
    <Page
      title="Backup"
      lead="The file of a backup holds everything, the keys among it. So it is written and read at the machine, not through a browser."
    >
      <h2>Take one</h2>
      <p>While Panji runs. It is read back at once, so that a bad one is found now.</p>
      <Command text={`npx panji backup ${file}`} />
      <h2>Try it before you need it</h2>
      <p>Into a folder of its own, which must be empty; then the doctor looks at it.</p>
      <Command text={`PANJI_DATA_DIR=restored npx panji restore ${file}`} />
      <Command text="PANJI_DATA_DIR=restored npx panji doctor" />
      <h2>Put it back</h2>
      <p>
        With Panji stopped. What lies in the data directory is moved aside, into <code>before-restore-…</code>, and not
        written over.
      </p>
      <Command text={`npx panji restore ${file} --force`} />
      <h2>What it needs</h2>
      <p>
        With a database of your own, <code>PANJI_SECRET_KEY</code> must be the one of the backup. Who took a backup and
        who restored one stands in the trail.
      </p>
    </Page>
  )
}
