import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { mailboxOf, mailDomain } from './mailbox.ts'
import { messageOf } from './message.ts'

test.each([
  ['pult@example.org', '', 'pult@example.org'],
  ['<pult@example.org>', '', 'pult@example.org'],
  [' Pult  <pult@example.org> ', 'Pult', 'pult@example.org'],
  ['Werk Süd <pult@example.org>', 'Werk Süd', 'pult@example.org'],
  ['Dr. Müller & Söhne <pult@example.org>', 'Dr. Müller & Söhne', 'pult@example.org'],
  ['"Werk, Süd" <pult@example.org>', 'Werk, Süd', 'pult@example.org'],
  ['"Pult: \\"Süd\\" (A@B)" <pult@example.org>', 'Pult: "Süd" (A@B)', 'pult@example.org'],
  ['Pult <pult@[192.0.2.7]>', 'Pult', 'pult@[192.0.2.7]'],
  ['Пульт <pult@münchen.example>', 'Пульт', 'pult@münchen.example'],
])('the sender %s is the one mailbox of each mail', async (text, name, address) => {
  const from = mailboxOf(text)
  expect(from).toEqual({ name, address })
  if (typeof from === 'string') return
  const { createTransport } = await import('nodemailer')
  const mail = { kind: 'test' as const, to: 'ada@example.org', subject: 'x', text: 'x', html: 'x' }
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
    messageOf({ id: 'x', writtenAt: new Date(), mail }, from),
  )
  const parsed = await PostalMime.parse(message as Buffer)
  // The mail has the form of the domain that all mail servers accept.
  expect(parsed.from).toEqual({ name, address: address.replace('münchen', 'xn--mnchen-3ya') })
})

test.each([
  ['Pult', 'must contain an e-mail address, for example Pult <pult@example.org>'],
  ['', 'must contain an e-mail address'],
  ['Pult: Werk Süd <pult@example.org>', 'must have double quotes around the name'],
  ['Werk, Süd <pult@example.org>', 'for example "Pult: Hamburg" <pult@example.org>'],
  ['Werk (Süd) <pult@example.org>', 'must have double quotes around the name'],
  ['Pult:;', 'must contain an e-mail address'],
  ['Pult: a@example.org, b@example.org;', 'must be exactly one address'],
  ['a@example.org, b@example.org', 'must be exactly one address'],
  ['a@example.org,b@example.org', 'must be exactly one address'],
  ['A <a@example.org>, B <b@example.org>', 'must be exactly one address'],
  ['a@example.org B <b@example.org>', 'must be exactly one address'],
  ['Pult pult@example.org', 'must be exactly one address'],
  ['pult@example.org (Pult)', 'must be exactly one address'],
  ['Pult <pult@>', 'must be exactly one address'],
  ['Pult <@example.org>', 'must be exactly one address'],
  ['Pult <pult@exa mple.org>', 'must be exactly one address'],
  ['Pult <pult@example..org>', 'must be exactly one address'],
  ['"Pult" pult@example.org', 'must be exactly one address'],
  ['Pult <pult@example.org>\r\nBcc: evil@example.net', 'must not contain a line break'],
])('%j is refused as a sender, with its fault and an example', (text, fault) => {
  const message = mailboxOf(text)
  expect(message).toContain(fault)
  expect(message).toContain('for example')
})

test('the domain of an address is the host, or its address as a literal', () => {
  expect(mailDomain('pult.example.org')).toBe('pult.example.org')
  expect(mailDomain('192.0.2.7')).toBe('[192.0.2.7]')
  expect(mailDomain(new URL('http://[2001:db8::7]:8080').hostname)).toBe('[IPv6:2001:db8::7]')
})
