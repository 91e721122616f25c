import { faultyReplicas, type Replicas } from '#platform/database/replicas.ts'
import type { DiskSpace } from '#platform/disk-space.ts'
import type { ConditionService } from '../condition/condition.service.ts'
import type { FileStoreWatch } from '../condition/file-store-watch.ts'
import type { NeededPart, Readiness } from './readiness.ts'

interface HealthParts {
  condition: Pick<ConditionService['parts'], 'mail' | 'jobs'> & {
    facts: (version: string) => Promise<{ clockOffset: number }>
  }
  fileStore: Pick<FileStoreWatch, 'read'>
  disk: Pick<DiskSpace, 'read' | 'isFull' | 'lacksInodes' | 'reserve'>
  replicas?: Pick<Replicas, 'states'>
  readiness: Pick<Readiness, 'read'>
  /** Milliseconds after which a part counts as failed. */
  timeout?: number
}

type Status = 'ok' | 'warn' | 'fail'

const clockTolerance = 5000
const jobPatience = 600_000

/** Reads the health of this node's parts separately, so that a hanging part does not hide the others. */
export function createHealthService({
  condition,
  fileStore,
  disk,
  replicas,
  readiness,
  timeout = 2000,
}: HealthParts) {
  async function statusOf(read: () => Promise<Status> | Status): Promise<Status> {
    const late = Promise.withResolvers<Status>()
    const timer = setTimeout(() => late.resolve('fail'), timeout)
    try {
      return await Promise.race([read(), late.promise])
    } catch {
      return 'fail'
    } finally {
      clearTimeout(timer)
    }
  }

  return async () => {
    const facts = condition.facts('')
    const isWithout = async (part: NeededPart) => (await readiness.read())?.part === part
    const [database, files, mail, jobs, space, clock] = await Promise.all([
      statusOf(async (): Promise<Status> => {
        await facts
        return (await isWithout('database')) ? 'fail' : 'ok'
      }),
      statusOf(async (): Promise<Status> => ((await fileStore.read()) === null ? 'ok' : 'fail')),
      statusOf(async (): Promise<Status> => {
        const { trouble, failed } = await condition.mail()
        if (trouble !== null) return 'fail'
        return failed > 0 ? 'warn' : 'ok'
      }),
      statusOf(async (): Promise<Status> => {
        const { oldest } = await condition.jobs()
        if (await isWithout('jobs')) return 'fail'
        if (oldest === null) return 'ok'
        // By the database's clock, which wrote the time.
        const now = Date.now() - (await facts).clockOffset
        return now - Date.parse(oldest) > jobPatience ? 'fail' : 'ok'
      }),
      statusOf(() => {
        if (disk.isFull()) return 'fail'
        const { free = Infinity } = disk.read() ?? {}
        return free < disk.reserve || disk.lacksInodes() ? 'warn' : 'ok'
      }),
      statusOf(
        async (): Promise<Status> => (Math.abs((await facts).clockOffset) > clockTolerance ? 'warn' : 'ok'),
      ),
    ])
    const states = replicas?.states() ?? []
    const replicaStatus: Status = faultyReplicas(states).length === 0 ? 'ok' : 'warn'
    return {
      database,
      // Only a warning, because the primary serves the reads of a failed replica.
      ...(states.length > 0 && { replicas: replicaStatus }),
      files,
      mail,
      jobs,
      disk: space,
      clock,
    }
  }
}
export type HealthService = ReturnType<typeof createHealthService>
