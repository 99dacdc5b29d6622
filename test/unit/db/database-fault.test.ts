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

test('a login that is refused after the process has started is a condition of the database, for which callers wait', () => {
  const refused = (code: string, routine: string) => Object.assign(new Error('refused'), { code, routine })
  for (const error of [
    refused('28P01', 'auth_failed'),
    refused('28000', 'ClientAuthentication'),
    refused('3D000', 'InitPostgres'),
    refused('55000', 'CheckMyDatabase'),
    refused('42501', 'CheckMyDatabase'),
  ]) {
    expect(databaseFaultReason(error)).toBe('login_refused')
    expect(databaseFault(error)).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 })
  }
  for (const code of ['55000', '42501']) expect(databaseFaultReason(refused(code, 'aclcheck_error'))).toBeUndefined()
})
