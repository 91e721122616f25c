import type * as z from 'zod/mini'
import {
  type AgentMessage,
  agentMessage,
  type EdgeMachine,
  type EdgeReport,
  edgeDecksMax,
  edgeMachine,
  edgeReport,
  edgeSample,
  edgeSamplesAtOnce,
  reportPartsMax,
} from './edge-agent.ts'
import { faultyDecksOf } from './faulty-decks.ts'
import { limits } from './limits.ts'
import { lineFrom } from './text.ts'

/*
 * The repair of reports: one odd value of a machine must not hide the others. The agent corrects its own reports, and the
 * server those of earlier agents (decision record 209).
 */

/** A field that does not fit, such as `disk.total` or `instances[].label`, and the rule that it breaks. */
export interface RefusedPart {
  path: string
  rule: string
}

type Parts = Omit<EdgeReport, 'missing'>
type PartName = keyof Parts
type Repair = (given: unknown) => unknown

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a number within the bounds; undefined for anything that is not a finite number. */
const numberIn = (given: unknown, min: number, max: number): number | undefined =>
  typeof given === 'number' && Number.isFinite(given) ? Math.min(Math.max(given, min), max) : undefined

const count: Repair = (given) => numberIn(given, 0, Number.MAX_SAFE_INTEGER)

const line =
  (most: number): Repair =>
  (given) =>
    typeof given === 'string' ? lineFrom(given, most) : undefined

const space: Repair = (given) => {
  if (!isRecord(given)) return undefined
  const total = numberIn(given['total'], 0, Number.MAX_SAFE_INTEGER)
  // More free than total space is an overflow of a file system or a container.
  return total === undefined ? undefined : { total, free: numberIn(given['free'], 0, total) }
}

/** Items of a list that are examined: each that does not fit costs much more than one that fits. */
const examined = (items: readonly unknown[], most: number) => items.slice(0, 2 * most)

/** Keeps the items that fit, repaired where that helps, without repeated keys and up to a number of items. */
const list =
  (item: z.ZodMiniType, most: number, repair: Repair = (given) => given): Repair =>
  (given) => {
    if (!Array.isArray(given)) return undefined
    const keys = new Set<unknown>()
    const fitting = examined(given, most).flatMap((one: unknown) => {
      const parsed = [one, repair(one)].map((form) => item.safeParse(form)).find(({ success }) => success)
      if (parsed?.data === undefined) return []
      const key = isRecord(parsed.data) ? (parsed.data['key'] ?? parsed.data['serial']) : undefined
      if (key !== undefined && keys.has(key)) return []
      keys.add(key)
      return [parsed.data]
    })
    return fitting.slice(0, most)
  }

const within = (change: (given: Record<string, unknown>) => unknown): Repair => {
  return (given) => (isRecord(given) ? change(given) : undefined)
}

/** Items of the lists in a report, which are arrays with checks. */
const itemOf = (schema: unknown) => (schema as { def: { element: z.ZodMiniType } }).def.element
const innerOf = (schema: unknown) => (schema as { def: { innerType: unknown } }).def.innerType

const { shape } = edgeReport

const repairs: Record<PartName, Repair> = {
  hostname: line(255),
  platform: line(100),
  load: (given) => (Array.isArray(given) ? [0, 1, 2].map((index) => count(given[index])) : undefined),
  cores: (given) => {
    const cores = numberIn(given, 1, 4096)
    return cores === undefined ? undefined : Math.round(cores)
  },
  memory: space,
  disk: space,
  addresses: list(itemOf(shape.addresses), 32),
  uptime: count,
  agentUptime: count,
  decks: within((given) => ({
    ...given,
    reason: given['reason'] === null ? null : line(300)(given['reason']),
    devices: list(itemOf(shape.decks.shape.devices), edgeDecksMax)(given['devices']),
    faulty: list(
      itemOf(innerOf(shape.decks.shape.faulty)),
      edgeDecksMax,
    )([given['faulty'] ?? [], faultyDecksOf(given['devices'])].flat()),
  })),
  instances: list(
    itemOf(shape.instances),
    limits.edgeInstancesMax,
    // The state of a program is worth more than the details of its last end.
    within(({ program: _program, ...given }) => ({ ...given, label: line(limits.labelMax)(given['label']) })),
  ),
  update: within((given) => ({ ...given, failed: null })),
  commands: list(itemOf(innerOf(shape.commands)), limits.edgeCommandsMax),
  values: list(
    itemOf(innerOf(shape.values)),
    limits.edgeValuesMax,
    within((given) => ({ ...given, unit: line(16)(given['unit']) })),
  ),
}

/** Neutral values, which earlier servers and pages accept. */
const neutral: EdgeReport = {
  hostname: '',
  platform: '',
  load: [0, 0, 0],
  cores: 1,
  memory: { total: 0, free: 0 },
  disk: null,
  addresses: [],
  uptime: 0,
  agentUptime: 0,
  decks: { driver: 'failed', reason: null, devices: [] },
  instances: [],
}

/** Fields whose values have names that an agent chooses. */
const records = new Set<PropertyKey>(['values', 'missing'])

/**
 * Returns the first broken rule, without the numbers of list items and the keys of records: one rule per field is enough,
 * and an agent must not fill the log with names.
 */
function ruleOf(error: z.core.$ZodError, ...name: string[]): RefusedPart {
  const issue = error.issues[0]
  const steps = [...name, ...(issue?.path ?? [])]
  const path = steps.map((step, index) =>
    typeof step === 'number' || records.has(steps[index - 1] ?? '') ? '[]' : `.${String(step)}`,
  )
  return {
    path: lineFrom(path.join('').replace(/^\./, ''), 200),
    rule: lineFrom(issue?.message ?? 'Is not valid', 200),
  }
}

/**
 * Corrects the parts of a report that do not fit the schema: numbers are limited, texts are cut, and items of lists are
 * left out. A part that cannot be corrected becomes neutral, with the reason in `missing`. Returns undefined if the value
 * is no object.
 */
export function repairEdgeReport(given: unknown): { report: EdgeReport; refused: RefusedPart[] } | undefined {
  if (!isRecord(given)) return undefined
  const refused: RefusedPart[] = []
  const missing: Record<string, string> = {}
  const report: Record<string, unknown> = { ...neutral }
  for (const name of Object.keys(repairs) as PartName[]) {
    const value = given[name]
    const parsed = shape[name].safeParse(value)
    if (parsed.success) {
      if (parsed.data !== undefined) report[name] = parsed.data
      continue
    }
    const broken = ruleOf(parsed.error, name)
    refused.push(broken)
    const repaired = shape[name].safeParse(repairs[name](value))
    if (repaired.success && repaired.data !== undefined) report[name] = repaired.data
    else missing[name] = lineFrom(`${broken.path}: ${broken.rule}`, 300)
  }
  const reasons = Object.entries(isRecord(given['missing']) ? given['missing'] : {})
  for (const [name, reason] of reasons.slice(0, 2 * reportPartsMax)) {
    const known = shape.missing.safeParse({
      [name]: typeof reason === 'string' ? lineFrom(reason, 300) : reason,
    })
    if (known.success && Object.keys(missing).length < reportPartsMax) Object.assign(missing, known.data)
  }
  if (Object.keys(missing).length > 0) report['missing'] = missing
  return { report: report as EdgeReport, refused }
}

/** Corrects the description of a machine in the same way. */
export function repairEdgeMachine(given: unknown): EdgeMachine | undefined {
  if (!isRecord(given)) return undefined
  const textOf = (name: string, most: number) => line(most)(given[name])
  return edgeMachine.safeParse({
    ids: list(itemOf(edgeMachine.shape.ids), 32)(given['ids']) ?? [],
    ...('cards' in given && { cards: list(itemOf(edgeMachine.shape.ids), 32)(given['cards']) ?? [] }),
    hostname: textOf('hostname', 255) ?? '',
    platform: textOf('platform', 100) ?? '',
    model: textOf('model', 200) ?? null,
    serial: textOf('serial', 200) ?? null,
    addresses: list(itemOf(edgeMachine.shape.addresses), 32)(given['addresses']) ?? [],
  }).data
}

/**
 * Reads a message of an agent. A report with odd values is corrected instead of refused; `refused` names what did not
 * fit. Without a message, the agent must be disconnected.
 */
export function readAgentMessage(given: unknown): {
  message?: AgentMessage
  refused: RefusedPart[]
  /** Set for a report of which nothing can be used. */
  isReport?: true
} {
  const parsed = agentMessage.safeParse(given)
  if (parsed.success) return { message: parsed.data, refused: [] }
  const first = ruleOf(parsed.error)
  if (!isRecord(given)) return { refused: [{ path: 'message', rule: 'Must be an object' }] }
  if (given['type'] === 'hello' && given['machine'] !== undefined) {
    const { machine, ...hello } = given
    const repaired = repairEdgeMachine(machine)
    const message = agentMessage.safeParse({
      ...hello,
      ...(repaired !== undefined && { machine: repaired }),
    }).data
    return message === undefined ? { refused: [first] } : { message, refused: [first] }
  }
  if (given['type'] !== 'report') return { refused: [first] }
  const repaired = repairEdgeReport(given['report'])
  if (repaired === undefined)
    return { refused: [{ path: 'report', rule: 'Must be an object' }], isReport: true }
  const at = count(given['at'])
  const samples = list(edgeSample, edgeSamplesAtOnce)(given['samples'])
  const message = agentMessage.safeParse({
    type: 'report',
    report: repaired.report,
    ...(at !== undefined && { at: Math.round(at as number) }),
    ...(samples !== undefined && { samples }),
  }).data
  const refused = repaired.refused.length > 0 ? repaired.refused.map(prefixed) : [first]
  return message === undefined ? { refused } : { message, refused }
}

const prefixed = ({ path, rule }: RefusedPart): RefusedPart => ({ path: `report.${path}`, rule })
