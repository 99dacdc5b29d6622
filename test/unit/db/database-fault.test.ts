import { expect, test } from 'vitest'
import { databaseFault, databaseFaultReason } from '../../../src/db/database-fault.ts'

const fault = (routine: string, message: string) => Object.assign(new Error(message), { code: '53100', routine })

test('memory that processes of the server share and have no more of is no full disk, in whatever language it is told', () => {
  for (const message of ['could not resize shared memory segment "/PostgreSQL.4" to 16777216 bytes', 'konnte nicht']) {
    const error = fault('dsm_impl_posix', message)
    expect(databaseFaultReason(error)).toBe('resources_used_up')
    expect(databaseFault(error)).toMatchObject({ code: 'UNAVAILABLE' })
  }
  for (const routine of ['mdextend', 'dsm_impl_mmap']) {
    expect(databaseFaultReason(fault(routine, 'could not extend file "base/5/1"'))).toBe('disk_full')
  }
})
