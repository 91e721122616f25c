import { sql } from 'kysely'
import { createSampleRepository, type Minute } from '../../apps/server/src/edges/values/sample.repository.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import { type DemoMachine, demoMachines, furtherMachines } from './demo-agents.ts'

const minute = 60_000
const minutesOfDay = 24 * 60
/** Minutes with a sample every 10 s, for the chart of the last hour. */
const fineMinutes = 60
const fineTicks = [0, 1000, 2000, 3000, 4000, 5000]

/** Rows per statement. */
const mostAtOnce = 500

const measures = ['load', 'memory', 'disk', 'programs'] as const

/** Adds values of the day before the agent's first start to each machine, once. */
export async function addPastValues(db: OpenDatabase['db']): Promise<void> {
  const { rows } = await sql<{ id: string; label: string; now: Date }>`
    select id, label, date_trunc('minute', now()) as now from edge e
    where not exists (select from edge_sample s where s.edge_id = e.id and s.at < now() - interval '1 hour')`.execute(
    db,
  )
  const machines = new Map([...demoMachines, ...furtherMachines].map((machine) => [machine.label, machine]))
  const repository = createSampleRepository(db)
  for (const { id, label, now } of rows) {
    const machine = machines.get(label)
    if (machine === undefined) continue
    // Without this, the values would begin before the edge's enrolment, and its reachability would cover only seconds.
    await sql`update edge set enrolled_at = least(enrolled_at, ${now}::timestamptz - interval '8 days') where id = ${id}`.execute(
      db,
    )
    const series = await repository.seriesOf(
      measures.map((key) => ({ edgeId: id, key, unit: key === 'programs' ? '' : '%' })),
    )
    const ids = new Map(series.map((one) => [one.key, one.id]))
    const minutes = Array.from({ length: minutesOfDay }, (_, ago): Minute => {
      const at = now.getTime() - (ago + 1) * minute
      const ticks = ago < fineMinutes ? fineTicks : [0]
      return {
        edgeId: id,
        at,
        ticks: new Map(ticks.map((tick) => [tick, valuesOf(machine, ids, at + tick * 10)])),
      }
    })
    for (let from = 0; from < minutes.length; from += mostAtOnce)
      await repository.write(minutes.slice(from, from + mostAtOnce))
  }
}

/** Returns the values of a machine at an instant, by series: busier by day, and with a disk that fills up. */
function valuesOf(
  { name, instances, is: { cores, load, memory, disk } }: DemoMachine,
  ids: ReadonlyMap<string, number>,
  at: number,
): Map<number, number> {
  const hour = (at / (60 * minute)) % 24
  const own = name.length + name.charCodeAt(0)
  const shift = 1 + 0.35 * Math.sin(((hour - 8) / 24) * 2 * Math.PI)
  const swing = 0.16 * Math.sin(at / 700_000 + own) + 0.09 * Math.sin(at / 130_000 + 2 * own)
  const used = ({ total, free }: { total: number; free: number }) => (100 * (total - free)) / total
  const values = {
    load: ((100 * load) / cores) * (shift + swing),
    memory: used(memory) * (1 + 0.06 * Math.sin(at / 5_000_000 + own) + swing / 8),
    disk: used(disk) - 0.15 * ((Date.now() - at) / (60 * minute)) ** 0.8,
    programs: instances.filter(({ isRunning }) => isRunning).length,
  }
  return new Map(
    measures.flatMap((key): [number, number][] => {
      const id = ids.get(key)
      return id === undefined ? [] : [[id, Math.min(100, Math.max(0, Math.round(values[key] * 10) / 10))]]
    }),
  )
}
