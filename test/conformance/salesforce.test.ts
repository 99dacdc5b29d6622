import { describeConnector } from './connector-suite.ts'
import { salesforceSubject } from './subjects.ts'

describeConnector(salesforceSubject)
