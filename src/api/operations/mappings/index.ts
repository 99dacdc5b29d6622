import type { Operation } from '../../operation.ts'
import get from './get.ts'
import listVersions from './list-versions.ts'
import preview from './preview.ts'
import put from './put.ts'
import sendTestRow from './send-test-row.ts'

export const mappings: readonly Operation[] = [get, put, listVersions, preview, sendTestRow]
