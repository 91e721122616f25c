import { type AgentMessage, agentMessage, type EdgeReport } from '@pult/contract'
import type { DeckFaultName } from '@pult/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDecks } from './decks.ts'
import { type FakeHidDeck, fakeHid } from './testing/fake-hid.ts'

const eventually = (check: () => unknown) => vi.waitFor(check, 30_000)

/** Decks at the real library, with short times. The first one is `/dev/fake0`. */
async function attach(decks: Omit<FakeHidDeck, 'path'>[], times = { check: 20, call: 1000, retryMost: 320 }) {
  const hid = fakeHid()
  const devices = decks.map((deck, at) => hid.plug({ ...deck, path: `/dev/fake${at}` }))
  const agent = createDecks(hid.driver, times)
  onTestFinished(async () => {
    for (const { faults } of devices) faults.set([])
    await agent.stop()
  })
  await agent.start()
  return { hid, agent, devices: devices as [Device, ...Device[]] }
}
type Device = ReturnType<ReturnType<typeof fakeHid>['plug']>

const serialsOf = ({ devices }: EdgeReport['decks']) => devices.map(({ serial }) => serial)
const faultsOf = ({ faulty = [] }: EdgeReport['decks']) =>
  faulty.map(({ path, fault, detail }) => [path, fault, detail])

/** A picture of a whole MK.2. */
const picture = (shade: number) => ({
  width: 360,
  height: 216,
  rgb: Buffer.alloc(360 * 216 * 3, shade).toString('base64'),
})
const shown = (serial: string, shade = 90) =>
  ({ type: 'deck', serial, brightness: 0.5, picture: picture(shade) }) as const

test('of three decks, those with an unusable and a repeated serial number are reported as such, and the third works', async () => {
  const { agent, devices, hid } = await attach([
    { serial: '' },
    { serial: 'AL01' },
    { serial: 'AL01' },
    { serial: 'Invalid SN! ' },
    { serial: [0x41, 0x07, 0xff, 0xfe] },
    { serial: 'A'.repeat(200) },
    { serial: '😀' },
  ])
  expect(serialsOf(agent.report())).toEqual(['AL01'])
  expect(agent.report().devices[0]).toMatchObject({ columns: 5, rows: 3, width: 360, height: 216 })
  expect(faultsOf(agent.report())).toMatchObject([
    ['/dev/fake0', 'no-serial', null],
    ['/dev/fake2', 'same-serial', 'AL01'],
    ['/dev/fake3', 'no-serial', 'Invalid SN!'],
    ['/dev/fake4', 'no-serial', expect.any(String)],
    ['/dev/fake5', 'no-serial', expect.any(String)],
    ['/dev/fake6', 'no-serial', expect.any(String)],
  ])
  expect(agent.report().faulty?.[0]?.model).toBe('Stream Deck MK.2')
  expect(isAccepted(agent.report())).toBe(true)
  await agent.show(shown('AL01'))
  expect(devices[1]?.pictures()).toBe(15)
  expect(devices.map((device) => device.handles())).toEqual([0, 1, 0, 0, 0, 0, 0])
  // The second of two equal decks takes over.
  hid.unplug('/dev/fake1')
  await eventually(() => expect(devices[2]?.pictures()).toBe(15))
  expect(faultsOf(agent.report()).map(([path]) => path)).not.toContain('/dev/fake2')
})

const isAccepted = (decks: EdgeReport['decks']) => {
  const report: AgentMessage = {
    type: 'report',
    report: {
      hostname: 'e',
      platform: 'linux x64',
      load: [0, 0, 0],
      cores: 1,
      memory: { total: 1, free: 1 },
      disk: null,
      addresses: [],
      uptime: 1,
      agentUptime: 1,
      instances: [],
      decks,
    },
  }
  return agentMessage.safeParse(report).success
}

test.each<[DeckFaultName, string]>([
  ['open-hangs', 'silent'],
  ['open-throws', 'busy'],
  ['open-busy', 'busy'],
  ['open-denied', 'denied'],
  ['serial-throws', 'no-serial'],
  ['serial-hangs', 'silent'],
  ['firmware-hangs', 'silent'],
])(
  'a deck with the fault %s is reported as %s, has no open handle, and works when the fault ends',
  async (name, fault) => {
    const { agent, devices } = await attach([{ serial: 'BAD1', faults: [name] }, { serial: 'AL01' }])
    const [bad, good] = devices
    await eventually(() =>
      expect(faultsOf(agent.report())).toMatchObject(
        [['/dev/fake0', fault, {}]].map(([path, code]) => [path, code, expect.toSatisfy(() => true)]),
      ),
    )
    await agent.show(shown('AL01'))
    expect(good?.pictures()).toBe(15)
    await eventually(() => expect(bad.handles()).toBe(0))
    bad.faults.set([])
    await eventually(() => expect(serialsOf(agent.report()).toSorted()).toEqual(['AL01', 'BAD1']))
    expect(bad.handles()).toBe(1)
    expect(faultsOf(agent.report())).toEqual([])
  },
)

test('a deck whose firmware version cannot be read works', async () => {
  const { agent } = await attach([{ serial: 'AL01', faults: ['firmware-throws'] }])
  expect(agent.report().devices).toMatchObject([{ serial: 'AL01', firmware: '' }])
})

test('attempts to open a deck become rarer, until it is plugged in again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const { agent, devices, hid } = await attach([{ serial: 'BAD1', faults: ['serial-throws'] }], {
    check: 5000,
    call: 10_000,
    retryMost: 300_000,
  })
  onTestFinished(() => void vi.useRealTimers())
  const [bad] = devices
  await vi.advanceTimersByTimeAsync(85 * 60_000)
  // After 10, 20, 40, 80, 160 and 300 seconds, and then every 300.
  expect(bad.opens()).toBeLessThan(25)
  expect(bad.opens()).toBeGreaterThan(15)
  expect(bad.handles()).toBe(0)
  hid.unplug('/dev/fake0')
  await vi.advanceTimersByTimeAsync(5000)
  expect(faultsOf(agent.report())).toEqual([])
  const again = hid.plug({ path: '/dev/fake0', serial: 'BAD1' })
  await vi.advanceTimersByTimeAsync(5000)
  expect(again.handles()).toBe(1)
  expect(serialsOf(agent.report())).toEqual(['BAD1'])
})

test('a deck that hangs while it is drawn on is closed and reported, and another one is drawn meanwhile', async () => {
  const { agent, devices } = await attach([{ serial: 'BAD1' }, { serial: 'AL01' }])
  const [bad, good] = devices
  bad.faults.set(['picture-hangs'])
  const hanging = agent.show(shown('BAD1'))
  await agent.show(shown('AL01'))
  expect(good?.pictures()).toBe(15)
  await hanging
  await eventually(() => expect(faultsOf(agent.report())).toEqual([['/dev/fake0', 'silent', null]]))
  await eventually(() => expect(bad.handles()).toBe(0))
  bad.faults.set([])
  await eventually(() => expect(bad.pictures()).toBe(15))
})

test('a deck that rejects brightness or pictures names the error, and is drawn on again', async () => {
  const { agent, devices } = await attach([{ serial: 'AL01', faults: ['brightness-throws'] }])
  const [deck] = devices
  await agent.show(shown('AL01'))
  // The picture is shown although the brightness failed.
  expect(deck.pictures()).toBe(15)
  expect(agent.report().devices).toMatchObject([{ problem: 'could not brightness' }])
  deck.faults.set(['picture-throws'])
  await eventually(() => expect(agent.report().devices).toMatchObject([{ problem: 'could not picture' }]))
  deck.faults.set([])
  await eventually(() => expect(agent.report().devices).toMatchObject([{ problem: null }]))
  expect(deck.brightness).toContain(50)
  expect(deck.handles()).toBe(1)
})

test('a deck that is unplugged in the middle of a picture, and pressed after it was closed, disturbs no other', async () => {
  const { agent, devices, hid } = await attach([{ serial: 'BAD1' }, { serial: 'AL01' }])
  const [bad, good] = devices
  const asked: string[] = []
  agent.askWith(async ({ serial }) => asked.push(serial) > 0)
  for (const serial of ['BAD1', 'AL01'])
    agent.take({
      type: 'desk',
      serial,
      page: 0,
      pages: 1,
      picture: null,
      keys: [{ key: 1, press: 'ask', hold: null }],
    })
  bad.faults.set(['picture-hangs'])
  void agent.show(shown('BAD1'))
  hid.unplug('/dev/fake0')
  bad.faults.set([])
  await eventually(() => expect(serialsOf(agent.report())).toEqual(['AL01']))
  expect(faultsOf(agent.report())).toEqual([])
  bad.press(1)
  good?.press(1)
  await eventually(() => expect(asked).toEqual(['AL01']))
  await eventually(() => expect(bad.handles()).toBe(0))
})

test('two decks that are pressed many times together each show their own answers', async () => {
  const { agent, devices } = await attach([{ serial: 'AL01' }, { serial: 'AL02' }])
  const asked: string[] = []
  const answers: (() => void)[] = []
  agent.askWith(({ serial }) => {
    asked.push(serial)
    return new Promise((resolve) => answers.push(() => resolve(true)))
  })
  for (const serial of ['AL01', 'AL02'])
    agent.take({
      type: 'desk',
      serial,
      page: 0,
      pages: 1,
      picture: null,
      keys: [{ key: 1, press: 'ask', hold: null }],
    })
  for (let burst = 0; burst < 100; burst += 1) for (const device of devices) device.press(1)
  // A press that repeats one without an answer does nothing.
  expect(asked).toEqual(['AL01', 'AL02'])
  for (const answer of answers) answer()
  await eventually(() => expect(devices.every((device) => device.pictures() >= 2)).toBe(true))
})

test('a list of decks that fails or hangs is reported once, and the decks work when it is back', async () => {
  const { agent, hid, devices } = await attach([{ serial: 'AL01' }])
  hid.failLists('throws')
  await eventually(() =>
    expect(agent.report()).toMatchObject({ driver: 'failed', reason: /^No native build/ } as never),
  )
  expect(serialsOf(agent.report())).toEqual(['AL01'])
  hid.failLists('no')
  await eventually(() => expect(agent.report()).toMatchObject({ driver: 'ready', reason: null }))
  expect(devices[0].opens()).toBe(1)
  hid.failLists('hangs')
  await eventually(() => expect(agent.report()).toMatchObject({ driver: 'failed' }))
  const lists = hid.lists()
  await agent.show(shown('AL01'))
  await agent.show(shown('AL01', 91))
  expect(hid.lists()).toBe(lists)
})

test('an edge drives sixteen decks, and reports a further one', async () => {
  const { agent } = await attach(Array.from({ length: 17 }, (_, at) => ({ serial: `AL${at}` })))
  expect(agent.report().devices).toHaveLength(16)
  expect(faultsOf(agent.report())).toEqual([['/dev/fake16', 'too-many', null]])
  expect(isAccepted(agent.report())).toBe(true)
})

test('an agent that stops while a deck is being opened closes it', async () => {
  const { agent, devices } = await attach([{ serial: 'AL01', faults: ['open-hangs'] }])
  const [deck] = devices
  const stopped = agent.stop()
  deck.faults.set(['logo-throws'])
  await stopped
  expect(deck.opens()).toBe(1)
  expect(deck.handles()).toBe(0)
})

test('a deck is closed although its logo cannot be shown', async () => {
  const { agent, devices } = await attach(
    [
      { serial: 'AL01', faults: ['logo-throws'] },
      { serial: 'AL02', faults: ['logo-hangs'] },
    ],
    { check: 20, call: 2000, retryMost: 320 },
  )
  await agent.stop()
  expect(devices.map((device) => device.handles())).toEqual([0, 0])
})

test('a thousand faults leave no handle and no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const { agent, hid } = await attach([], { check: 20, call: 100, retryMost: 20 })
  onTestFinished(() => void vi.useRealTimers())
  const timers = vi.getTimerCount()
  const faults: DeckFaultName[] = [
    'serial-throws',
    'serial-hangs',
    'open-throws',
    'firmware-hangs',
    'close-throws',
    'open-denied',
  ]
  let opens = 0
  const devices: Device[] = []
  for (let round = 0; opens < 1000; round += 1) {
    const path = `/dev/fake${round % 3}`
    const fault = faults[round % faults.length] as DeckFaultName
    const device = hid.plug({ path, serial: `AL${round % 7}`, faults: [fault] })
    devices.push(device)
    await vi.advanceTimersByTimeAsync(200)
    if (round % 2 === 0) device.fail()
    hid.unplug(path)
    opens += device.opens()
    device.faults.set([])
    await vi.advanceTimersByTimeAsync(150)
  }
  expect(agent.report()).toMatchObject({ devices: [], faulty: [] })
  expect(devices.reduce((sum, device) => sum + device.handles(), 0)).toBe(0)
  expect(vi.getTimerCount()).toBe(timers)
})
