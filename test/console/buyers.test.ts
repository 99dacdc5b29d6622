/**
 * What the people of accounts do, each file of buyers/ one concern of it, in one installation with the sample world: starting one
 * takes longer than most of what is pressed in it. Each test leaves the others what they look for, so they hold in any order.
 */
import { startConsoleAtAddress } from '../support/console-instance.ts'
import { laySampleWorld } from '../support/sample-world.ts'
import { useConsole } from '../support/use-console.ts'
import { describeAccount, type Member } from './buyers/account.ts'
import { describeBroken } from './buyers/broken.ts'
import { describeByKeyboard } from './buyers/by-keyboard.ts'
import { describeFields } from './buyers/fields.ts'
import { describeFinding } from './buyers/finding.ts'
import { describeHome } from './buyers/home.ts'
import { describeLooking } from './buyers/looking.ts'
import { useMailServer } from './buyers/mail-server.ts'
import { describeMatching } from './buyers/matching.ts'
import { describeMoney } from './buyers/money.ts'
import { describeNavigation } from './buyers/navigation.ts'
import { describePush } from './buyers/push.ts'
import { describeResults } from './buyers/results.ts'
import { describeSearch } from './buyers/search.ts'
import { describeTeam } from './buyers/team.ts'
import { describeTwoWindows } from './buyers/two-windows.ts'
import { newAccount } from './new-account.ts'

const { url, mails } = useMailServer()
// Where the pages of processors and CRMs, and mails, send a browser back to.
const instance = useConsole(async () => {
  const mailing = { PANJI_SMTP_URL: url(), PANJI_SMTP_FROM: 'Panji <panji@example.in>' }
  const started = await startConsoleAtAddress(mailing, laySampleWorld)
  if (started) apiKey = await newAccount(started, email)
  return started
})
const email = 'buyer@example.com'
let apiKey = ''
const member = (): Member => ({ email, apiKey })

describeAccount(instance, member, mails)
describeHome(instance)
describeSearch(instance)
describeResults(instance)
describeMoney(instance)
describePush(instance)
describeMatching(instance)
describeLooking(instance)
describeFinding(instance)
describeFields(instance)
describeBroken(instance)
describeByKeyboard(instance)
describeNavigation(instance)
describeTeam(instance, member, mails)
describeTwoWindows(instance)
