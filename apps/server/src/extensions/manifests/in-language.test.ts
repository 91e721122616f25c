import { expect, test } from 'vitest'
import { inLanguage } from './in-language.ts'

const app = {
  id: 'accounts',
  label: 'Accounts',
  labels: { 'de-DE': 'Konten' },
  actions: [{ id: 'lock', label: 'Sperren', labels: { en: 'Lock' } }],
}

test('godotengine/godot#76454 the English label stays beside one in another language, because users search for it', () => {
  expect(inLanguage(app, 'de-DE')).toEqual({
    id: 'accounts',
    label: 'Konten',
    labels: { en: 'Accounts' },
    actions: [{ id: 'lock', label: 'Sperren', labels: { en: 'Lock' } }],
  })
})

test('a part with an English label has no further labels', () => {
  expect(inLanguage(app, 'en')).toEqual({
    id: 'accounts',
    label: 'Accounts',
    actions: [{ id: 'lock', label: 'Lock' }],
  })
})
