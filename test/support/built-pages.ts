/** The pages of the console as they ship, built once for all test files that look at them. */
import { buildWeb } from '../../scripts/build-web.ts'

export default function setup(): void {
  buildWeb()
}
