/**
 * Preloaded by each process that a recorded test starts: writes the functions it called next to those the test itself
 * called. Also every two seconds, because tests kill some processes.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Called, merged, takeCalled } from './take.ts'

const folder = process.env['PANJI_EXECUTED']
if (folder) {
  let all: Called = {}
  const writeCalls = (): void => {
    all = merged([all, takeCalled()])
    try {
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(all))
    } catch {
      // The test is over, and its folder is deleted.
    }
  }
  setInterval(writeCalls, 2000).unref()
  process.once('exit', writeCalls)
}
