/**
 * Unpacks the browser of the console's tests once: files that start together would run it while another still unpacks
 * it.
 */
import packaged from '@sparticuz/chromium'

export default async function setup(): Promise<void> {
  // Whether one starts is reported by `startBrowser`.
  await packaged.executablePath().catch(() => undefined)
}
