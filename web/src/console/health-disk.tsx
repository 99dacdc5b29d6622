/** Disk space and what uses it. Staging a snapshot needs some: without it imports fail. */
import { Card } from '../look/card.tsx'
import { Command } from '../look/command.tsx'
import { bytes } from '../look/numbers.ts'
import { Reading } from '../look/reading.tsx'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'

const everyMs = 60_000
/** The same threshold as the doctor's. */
const enoughBytes = 2 * 2 ** 30

export function Disk() {
  const storage = useRead(['storage'], () => api.GET('/admin/storage'), { refetchInterval: everyMs })
  return (
    <Reading of={storage} what="the disk space">
      {({ free_bytes, total_bytes, spool_bytes, database_bytes }) => {
        const isTight = free_bytes < enoughBytes
        return (
          <Card title="Disk" tone={isTight ? 'bad' : 'good'} word={`${bytes(free_bytes)} free`}>
            <p>
              Of {bytes(total_bytes)}. The database holds {bytes(database_bytes)}, files of runs {bytes(spool_bytes)}.
            </p>
            {isTight && (
              <>
                <p>
                  Free some space: an import needs it to read a file and fails without it. You can prune history from
                  before a day you choose:
                </p>
                <Command text="npx panji history prune --before YYYY-MM-DD" />
              </>
            )}
          </Card>
        )
      }}
    </Reading>
  )
}
