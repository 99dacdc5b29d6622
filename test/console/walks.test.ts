/**
 * Ways of some length through the app, each file of walks/ one of them, in one installation with the sample world: starting one takes
 * longer than a walk. Each leaves the others what they look for, so they hold in any order.
 */
import { startConsole } from '../support/console-instance.ts'
import { laySampleWorld } from '../support/sample-world.ts'
import { useConsole } from '../support/use-console.ts'
import { describeDeveloper } from './walks/developer.ts'
import { describeStandingOrders } from './walks/standing-order.ts'
import { describeTour } from './walks/tour.ts'

// A developer's receiver listens on this machine.
const instance = useConsole(() => startConsole({ PANJI_ALLOW_PRIVATE_SOURCES: 'true' }, laySampleWorld))

describeDeveloper(instance)
describeStandingOrders(instance)
describeTour(instance)
