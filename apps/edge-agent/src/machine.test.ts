import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type EdgeMachine, edgeMachine } from '@pult/contract'
import { afterEach, expect, test } from 'vitest'
import { identifyMachine } from './machine.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function machineWith(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'machine-'))
  folders.push(root)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const machine = await identifyMachine(root)
  expect(edgeMachine.parse(machine)).toEqual(machine)
  return machine
}

const card = (name: string, address: string, kind = '0') => ({
  [`sys/class/net/${name}/device/vendor`]: '0x8086\n',
  [`sys/class/net/${name}/addr_assign_type`]: `${kind}\n`,
  [`sys/class/net/${name}/address`]: `${address}\n`,
})

const pick = ({ ids, cards }: EdgeMachine) => ({ ids, cards })

test('a machine is identified by its serial numbers and the addresses of its network cards', async () => {
  const files = {
    'proc/device-tree/model': 'Raspberry Pi 5 Model B\0',
    'proc/device-tree/serial-number': '10000000abcd\0',
    ...card('eth0', 'dc:a6:32:00:00:01'),
  }
  const machine = await machineWith(files)
  expect(machine).toMatchObject({ model: 'Raspberry Pi 5 Model B', serial: '10000000abcd' })
  expect(machine.ids).toHaveLength(2)
  const withAdapter = await machineWith({ ...files, ...card('eth1', '00:e0:4c:00:00:02') })
  expect(withAdapter.ids).toEqual(expect.arrayContaining(machine.ids))
})

test('virtual interfaces, random addresses and placeholders do not identify a machine', async () => {
  const machine = await machineWith({
    'etc/machine-id': '0123456789abcdef0123456789abcdef\n',
    'sys/class/dmi/id/product_name': 'To be filled by O.E.M.\n',
    'sys/class/dmi/id/product_serial': 'Default string\n',
    'sys/class/dmi/id/product_uuid': '03000200-0400-0500-0006-000700080009\n',
    'proc/device-tree/serial-number': '0123456789\0',
    ...card('eth0', '00:00:00:00:00:00'),
    ...card('eth1', 'ff:ff:ff:ff:ff:ff'),
    'sys/class/net/docker0/address': '02:42:00:00:00:01\n',
    ...card('wlan0', 'de:ad:be:ef:00:01', '3'),
  })
  expect(machine).toMatchObject({ ids: [], model: null, serial: null })
})

test.each([
  '03000200-0400-0500-0006-000700080009',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '0123456789',
  '123456789',
  '1234567890',
  '12345678',
  'N/A',
  'NA',
  'None',
  'Not Applicable',
  'Not Specified',
  'Not Available',
  'INVALID',
  'xxxxxxxx',
  'XXXX-XXXX',
  '.',
  '........',
  'Unknown',
  'Serial Number',
  'Chassis Serial Number',
  'System Serial Number',
  'SerialNumber',
  'Default string',
  '$(DEFAULT_STRING)',
  'To Be Filled By O.E.M',
  'To be filled by O.E.M.',
  'O.E.M.',
])(
  'openshift/assisted-service#8618 fleetdm/fleet#18645 the placeholder "%s" identifies no machine',
  async (text) => {
    const machine = await machineWith({
      'sys/class/dmi/id/product_serial': `${text}\n`,
      'sys/class/dmi/id/product_uuid': `${text}\n`,
      ...card('eth0', 'dc:a6:32:00:00:01'),
    })
    expect(machine.ids).toEqual(machine.cards)
    expect(machine).toMatchObject({ serial: null, cards: [expect.any(String)] })
  },
)

test('bottlerocket-os/bottlerocket#3413 candlepin/subscription-manager#369 cards keep their identity in a bond', async () => {
  const alone = { ...card('eno1', '3c:ec:ef:cd:06:cc'), ...card('eno2', '3c:ec:ef:cd:06:cd') }
  const bonded = {
    ...card('eno1', 'a6:ef:ab:8d:8c:a0', '3'),
    ...card('eno2', 'a6:ef:ab:8d:8c:a0', '3'),
    'sys/class/net/eno1/bonding_slave/perm_hwaddr': '3c:ec:ef:cd:06:cc\n',
    'sys/class/net/eno2/bonding_slave/perm_hwaddr': '3c:ec:ef:cd:06:cd\n',
    'sys/class/net/bond0/address': 'a6:ef:ab:8d:8c:a0\n',
  }
  const { ids, cards } = await machineWith(bonded)
  expect(cards).toHaveLength(2)
  expect({ ids, cards }).toEqual(pick(await machineWith(alone)))
})

test('openhab/openhabian#158 a board with a serial number and a new address at each start remains the same', async () => {
  const board = (address: string) =>
    machineWith({
      'proc/device-tree/serial-number': '92c000001234\0',
      ...card('eth0', address),
      ...card('eth1', '00:e0:4c:00:00:02'),
    })
  const { ids, cards } = await board('02:ba:11:22:33:44')
  expect(ids).toHaveLength(2)
  expect(cards).toHaveLength(1)
  expect(pick(await board('FE:ba:55:66:77:88'))).toEqual({ ids, cards })
})

test.each([
  ['nothing else', {}, 1],
  [
    'a UUID, which copies may share,',
    { 'sys/class/dmi/id/product_uuid': '422813f5-d420-7161-5db0-7b96440ccf54\n' },
    2,
  ],
])(
  'openhab/openhabian#158 a virtual machine with %s keeps the address that its host chose',
  async (_what, files, count) => {
    const { ids, cards } = await machineWith({ ...files, ...card('eth0', '52:54:00:12:34:56') })
    expect(ids).toHaveLength(count)
    expect(cards).toHaveLength(1)
  },
)

test('vercel/serve#746 a machine without a list of its interfaces and without a host name is identified', async () => {
  const fail = () => {
    throw new Error('uv_interface_addresses returned Unknown system error 13')
  }
  const machine = await identifyMachine('/nonexistent', { hostname: fail, networkInterfaces: fail })
  expect(edgeMachine.parse(machine)).toEqual(machine)
  expect(machine).toMatchObject({ ids: [], hostname: '', addresses: [], model: null })
})
