import { expect, test } from 'vitest'
import { linksIn } from '#platform/mail/testing/links-in.ts'
import { offlineLetter } from './offline-letter.ts'

const edge = {
  id: '018f0000-0000-7000-8000-000000000000',
  label: 'kiosk-3.evil.example',
  projectId: '018f0000-0000-7000-8000-000000000001',
  projectLabel: 'https://evil.example/login',
  offlineSince: new Date('2026-11-27T12:30:00Z'),
  email: 'olga@example.org',
  isNew: true,
}

test.each([1, 2])('the letter about %s offline edges contains no link from their names', (count) => {
  const edges = Array.from({ length: count }, () => edge)
  const { subject, text } = offlineLetter({ to: edge.email, edges, publicUrl: 'https://pult.example.org' })
  expect(linksIn(subject)).toEqual([])
  expect(text).toContain('kiosk-3. evil. example (2026-11-27 12:30 UTC)')
  const link = `https://pult.example.org/app/edges?project=${edge.projectId}&state=offline`
  expect(linksIn(text)).toEqual([link, link])
})
