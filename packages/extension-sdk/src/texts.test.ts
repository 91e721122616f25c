import { expect, test } from 'vitest'
import { textsFor } from './texts.ts'

const catalogues = {
  de: {
    greet: (name: string) => `Hallo ${name}`,
    days: { today: 'Heute', monday: 'Monday' },
    names: ['Ada'],
  },
  en: { greet: (name: string) => `Hello ${name}`, days: { today: 'Today' } },
}

test('DEC-28 English texts replace the default ones, which remain if English has none', () => {
  const texts = textsFor('en-GB', catalogues)
  expect(texts.greet('Ada')).toBe('Hello Ada')
  expect(texts.days).toEqual({ today: 'Today', monday: 'Monday' })
  expect(texts.names).toEqual(['Ada'])
})

test('DEC-28 each call returns the same English texts', () => {
  expect(textsFor('en', catalogues)).toBe(textsFor('en', catalogues))
})

test('DEC-28 a language without a catalogue gets the default texts', () => {
  expect(textsFor('de-DE', catalogues)).toBe(catalogues.de)
  expect(textsFor('en', { de: catalogues.de })).toBe(catalogues.de)
})
