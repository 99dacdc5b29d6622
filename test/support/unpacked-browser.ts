/** The browser of the console's tests, unpacked once: files that begin together would start it while another still writes it. */
import packaged from '@sparticuz/chromium'

export default async function setup(): Promise<void> {
  // Whether one starts is for `startBrowser` to say.
  await packaged.executablePath().catch(() => undefined)
}
