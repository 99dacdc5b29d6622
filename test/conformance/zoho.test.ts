/** Zoho: the contract of every connector, and what its documents say beside it. */
import { describeConnector } from './connector-suite.ts'
import { zohoSubject } from './subjects.ts'

describeConnector(zohoSubject)
