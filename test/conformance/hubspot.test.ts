/** HubSpot: the contract of every connector, through the real SDK against the sandbox. */
import { describeConnector } from './connector-suite.ts'
import { hubspotSubject } from './subjects.ts'

describeConnector(hubspotSubject)
