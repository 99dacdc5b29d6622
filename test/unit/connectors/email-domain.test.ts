import { expect, test } from 'vitest'
import { domainIn } from '../../../connectors/email-domain.ts'

test.each([
  ['asha@Coral.example.in', 'coral.example.in'],
  ['https://www.coral.example.in/contact?x=1', 'coral.example.in'],
  ['http://asha:secret@coral.example.in:8080/', 'coral.example.in'],
  ['www.coral.example.in', 'coral.example.in'],
  [' coral.example.in. ', 'coral.example.in'],
  ['asha@gmail.com', ''],
  ['asha@Yahoo.co.in', ''],
  ['asha@localhost', ''],
  ['not an address', ''],
  ['', ''],
  [null, ''],
])('the domain of %j is %j', (text, domain) => {
  expect(domainIn(text)).toBe(domain)
})
