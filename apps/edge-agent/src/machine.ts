import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EdgeMachine, repairEdgeMachine } from '@pult/contract'
import { createParts } from './parts.ts'
import { addressesOf, hostnameOf, printable, type System, system } from './report.ts'

const idsMost = 32

/** Shared by all connections, so that a read that hangs is not repeated with each of them. */
const { part } = createParts()

type From = Pick<System, 'hostname' | 'networkInterfaces'>

/**
 * Identifies the machine that this agent runs on. Its ids come from hardware, because a copy of a disk also copies
 * the system's machine id. A container or a system other than Linux may have none.
 */
export async function identifyMachine(root = '/', from: From = system): Promise<EdgeMachine> {
  const { ids, cards, model, serial } = await part('its hardware', () => hardwareOf(root), unknownHardware)
  const machine = {
    ids,
    cards,
    hostname: await part('its host name', () => hostnameOf(from), ''),
    platform: `${process.platform} ${process.arch}`,
    model,
    serial,
    addresses: await part('its addresses', () => addressesOf(from), []),
  }
  // A machine with odd names must be able to connect.
  return repairEdgeMachine(machine) as EdgeMachine
}

type Hardware = Pick<EdgeMachine, 'ids' | 'cards' | 'model' | 'serial'>

const unknownHardware: Hardware = { ids: [], cards: [], model: null, serial: null }

async function hardwareOf(root: string): Promise<Hardware> {
  const of = (path: string) => firstLine(join(root, path))
  const [boardModel, productName, treeSerial, productSerial, uuid, networkAddresses] = await Promise.all([
    of('proc/device-tree/model'),
    of('sys/class/dmi/id/product_name'),
    of('proc/device-tree/serial-number'),
    of('sys/class/dmi/id/product_serial'),
    of('sys/class/dmi/id/product_uuid'),
    ownNetworkAddresses(join(root, 'sys/class/net')),
  ])
  const serials = [treeSerial, productSerial, uuid].filter((text) => text !== null)
  const serial = treeSerial ?? productSerial
  // Some boards invent an address at each start. The UUID of a virtual machine does not replace such an address: copies
  // of the machine may have it as well.
  const lasting = serial === null ? networkAddresses : networkAddresses.filter(isGlobal)
  const cards = lasting.map(hashed)
  const ids = [...serials.map(hashed), ...cards].slice(0, idsMost)
  return {
    ids,
    cards: cards.filter((card) => ids.includes(card)),
    model: boardModel ?? productName,
    serial,
  }
}

/**
 * Placeholders of manufacturers for a serial number or an address, without their punctuation. Machines must not have
 * them in common.
 */
const placeholder =
  /^(?:0*|f+|x+|0?1234567(?:89?0?)?|none|na|null|unknown|invalid|oem|serial|not(?:applicable|available|specified|set)|default(?:string)?|tobefilledbyoem|(?:system|chassis|board|base)?serialnumber|03000200040005000006000700080009)$/i

const isPlaceholder = (line: string) => placeholder.test(line.replace(/[^a-z0-9]/gi, ''))

/** Returns the first line of a file, or null. Only root can read most serial numbers. */
async function firstLine(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const line = printable(text.split(/[\0\n]/, 1)[0] ?? '', 200).trim()
  return line === '' || isPlaceholder(line) ? null : line
}

/** Whether a manufacturer assigned the address. All others have the bit 0x02 in their first byte. */
const isGlobal = (address: string) => !/^[0-9a-f][2367abef]:/i.test(address)

/**
 * Addresses of network cards. An interface without a device is virtual, and a random address does not identify a card.
 * In a bond all cards show its address, and the bond keeps the address that each card had before.
 */
async function ownNetworkAddresses(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const device = await readdir(join(folder, name, 'device')).catch(() => undefined)
      if (device === undefined) return null
      const beforeBond = await firstLine(join(folder, name, 'bonding_slave/perm_hwaddr'))
      if (beforeBond !== null) return beforeBond
      const kind = await firstLine(join(folder, name, 'addr_assign_type'))
      return kind === null || kind === '0' ? firstLine(join(folder, name, 'address')) : null
    }),
  )
  return found.filter((address) => address !== null).toSorted()
}

const hashed = (text: string) => createHash('sha256').update(`pult-edge ${text}`).digest('hex').slice(0, 32)
