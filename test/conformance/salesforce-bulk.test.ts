import { describeConnector } from './connector-suite.ts'
import { salesforceBulkSubject } from './subjects.ts'

describeConnector(salesforceBulkSubject)
