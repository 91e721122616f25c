import { expect, test } from 'vitest'
import { isSameMachine } from './same-machine.ts'

const machine = (serials: string[], cards: string[]) => ({ ids: [...serials, ...cards], cards })

test.each<[string, ReturnType<typeof machine>, ReturnType<typeof machine>, boolean]>([
  ['nothing has changed', machine(['s', 'u'], ['a', 'b']), machine(['s', 'u'], ['a', 'b']), true],
  ['an adapter is added', machine(['s'], ['a']), machine(['s'], ['a', 'usb']), true],
  ['an adapter is taken out', machine(['s'], ['a', 'usb']), machine(['s'], ['a']), true],
  ['the only adapter is taken out', machine(['s'], ['usb']), machine(['s'], []), true],
  ['the agent may no longer read the serial numbers', machine(['s', 'u'], ['a']), machine([], ['a']), true],
  ['a placeholder is recognised by a later release', machine(['s', 'u'], ['a']), machine(['u'], ['a']), true],
  ['two boards share their serial number', machine(['0123'], ['a']), machine(['0123'], ['b']), false],
  ['two boards share serial number and UUID', machine(['s', 'u'], ['a']), machine(['s', 'u'], ['b']), false],
  ['two boards without cards share a serial', machine(['s', 'u1'], []), machine(['s', 'u2'], []), false],
  ['an adapter moves to another board', machine(['s1'], ['a', 'usb']), machine(['s2'], ['b', 'usb']), false],
  ['two boards share one network address', machine(['s1'], ['a']), machine(['s2'], ['a']), false],
  [
    'a repair replaces the board',
    machine(['s1', 'u1'], ['a', 'usb']),
    machine(['s2', 'u2'], ['b', 'usb']),
    false,
  ],
  ['one shows serials only, the other cards only', machine(['s'], []), machine([], ['a']), false],
  ['the copy shows nothing', machine(['s'], ['a']), machine([], []), false],
])('openshift/assisted-service#8618 fleetdm/fleet#18645 %s', (_name, known, shown, isSame) => {
  expect(isSameMachine(known, shown, new Set())).toBe(isSame)
})

test.each<[string, ReturnType<typeof machine>, ReturnType<typeof machine>, boolean]>([
  ['a copy has the same modem', machine([], ['a', 'modem']), machine([], ['b', 'modem']), false],
  [
    'a copy has the same two modems with one address',
    machine([], ['a', 'modem', 'modem']),
    machine([], ['b', 'modem', 'modem']),
    false,
  ],
  ['an adapter is added', machine([], ['a']), machine([], ['a', 'usb']), true],
  ['a card is taken out', machine([], ['a', 'usb']), machine([], ['usb']), true],
  ['one of three cards is replaced', machine([], ['a', 'b', 'c']), machine([], ['a', 'b', 'd']), true],
])('Ysurac/openmptcprouter#549 without serial numbers %s', (_name, known, shown, isSame) => {
  expect(isSameMachine(known, shown, new Set())).toBe(isSame)
})

test.each<[string, ReturnType<typeof machine>, ReturnType<typeof machine>, string[], boolean]>([
  ['the same machine', machine(['s', 'u'], ['a']), machine(['s', 'swapped'], ['a']), [], true],
  ['a doubt without a card', machine(['s', 'u'], []), machine(['s', 'swapped'], []), [], false],
  ['a doubt with another card', machine(['s', 'u'], ['a']), machine(['s', 'u2'], ['b']), [], false],
  [
    'a doubt if most cards differ, because boards can share a serial number and an adapter',
    machine(['s', 'u'], ['a', 'usb']),
    machine(['s', 'u2'], ['b', 'usb']),
    [],
    false,
  ],
  [
    'a doubt if other edges have the serial number',
    machine(['s', 'u'], ['a']),
    machine(['s', 'u2'], ['a']),
    ['s'],
    false,
  ],
  [
    'a doubt if other edges have all that is shown',
    machine(['s', 'u'], ['a']),
    machine(['s', 'u2'], ['a']),
    ['s', 'u2', 'a'],
    false,
  ],
])(
  'charmed-kubernetes/charm-kubernetes-control-plane#102 another UUID is %s',
  (_name, known, shown, foreign, isSame) => {
    expect(isSameMachine(known, shown, new Set(foreign))).toBe(isSame)
  },
)

test('fleetdm/fleet#18645 an id that another edge shows identifies nothing, unless there is no other id', () => {
  const known = machine(['placeholder'], [])
  expect(isSameMachine(known, machine(['placeholder'], []), new Set())).toBe(true)
  const foreign = new Set(['placeholder'])
  expect(isSameMachine(machine(['placeholder'], ['a']), machine(['placeholder'], []), foreign)).toBe(true)
  expect(isSameMachine(machine(['placeholder', 'u1'], []), machine(['placeholder', 'u2'], []), foreign)).toBe(
    false,
  )
  // Two agents on one machine are two edges with the same ids.
  expect(isSameMachine(known, machine(['placeholder'], []), foreign)).toBe(true)
})

test('a description of an earlier release matches by most of its ids', () => {
  expect(isSameMachine({ ids: ['s', 'u', 'a'] }, machine(['s', 'u'], ['a']), new Set())).toBe(true)
  expect(isSameMachine({ ids: ['s', 'u', 'a'] }, machine(['s2', 'u2'], ['a']), new Set())).toBe(false)
})
