import { expect, test } from 'vitest'
import { usableAction, usableNotification } from './usable-values.ts'

const run = () => {}
const action = { id: 'pumps reset', label: 'Reset the pumps', group: 'Pumps', run }

test.each<[string, object, object]>([
  ['an error as the text', { text: new Error('Disk full') }, { text: 'Disk full' }],
  ['an object as the text', { text: { code: 7 } }, { text: undefined }],
  ['a number as the title', { title: 7 }, { title: '7' }],
  ['no title', { title: undefined }, { title: '' }],
  ['an unknown tone', { tone: 'constructor' }, { tone: undefined }],
  ['an undo that is no function', { undo: true }, { undo: undefined }],
])('kubernetes-sigs/headlamp#597 a notification with %s has texts only', (_what, wrong, expected) => {
  expect(usableNotification({ title: 'Saved', ...wrong })).toEqual({ title: 'Saved', ...expected })
})

test.each<[string, object, object]>([
  ['a text as the keywords', { keywords: 'reset' }, { keywords: ['reset'] }],
  ['null as the keywords', { keywords: null }, { keywords: [] }],
  ['numbers among the keywords', { keywords: ['reset', 7] }, { keywords: ['reset'] }],
  ['a number as the shortcut', { shortcut: 42 }, { shortcut: undefined }],
  ['an object as the icon', { icon: {} }, { icon: undefined }],
  ['no label', { label: undefined }, { label: 'pumps reset' }],
])('kubernetes-sigs/headlamp#597 an action with %s can be shown and found', (_what, wrong, expected) => {
  const usable = usableAction({ ...action, ...wrong })
  expect(usable).toEqual({ ...action, keywords: [], ...expected })
})

test('a valid notification and a valid action stay as they are', () => {
  const notification = {
    title: 'Saved',
    text: 'Pump 7',
    tone: 'success',
    error: undefined,
    undo: async () => {},
  } as const
  expect(usableNotification(notification)).toEqual(notification)
  const whole = { ...action, icon: 'box', keywords: ['flush'], shortcut: 'mod+shift+p' }
  expect(usableAction(whole)).toEqual(whole)
})
