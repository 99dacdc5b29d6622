/**
 * What operators do, each file of operators/ one concern of it, in one installation with the sample world: starting one takes longer
 * than most of what is pressed in it. Acts are those of one operator, asha: the page says that it is done, the audit log names her, and
 * the server is asked whether it is so. Each test leaves the others what they look for, so they hold in any order.
 */
import { useOperatorDesk } from '../support/operator-desk.ts'
import { describeAccountant } from './operators/accountant.ts'
import { describeAccounts } from './operators/accounts.ts'
import { describeDropping } from './operators/dropping.ts'
import { describeHealth } from './operators/health.ts'
import { describeLists } from './operators/lists.ts'
import { describeMoney } from './operators/money.ts'
import { describeRecords } from './operators/records.ts'
import { describeRuns } from './operators/runs.ts'
import { describeSandboxes } from './operators/sandboxes.ts'
import { describeStories } from './operators/story.ts'
import { describeUpkeep } from './operators/upkeep.ts'

const desk = useOperatorDesk()
describeStories(desk)
describeRuns(desk)
describeRecords(desk)
describeDropping(desk)
describeMoney(desk)
describeAccountant(desk)
describeAccounts(desk)
describeUpkeep(desk)
describeSandboxes(desk)
describeHealth(desk)
describeLists(desk)
