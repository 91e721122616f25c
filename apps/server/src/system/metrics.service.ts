import { performance } from 'node:perf_hooks'
import type { Build } from '@pult/contract'
import { sql } from 'kysely'
import type { OpenDatabase } from '#platform/database/database.ts'
import { faultyReplicas, type Replicas } from '#platform/database/replicas.ts'
import type { DiskSpace } from '#platform/disk-space.ts'
import type { CleanUpFailures } from '#platform/jobs/clean-up-failures.ts'
import type { Log } from '#platform/log.ts'
import { createEventLoopDelay } from '#platform/metrics/event-loop-delay.ts'
import type { RequestMetrics } from '#platform/metrics/request-metrics.ts'
import { createScrape, type Scrape } from '#platform/metrics/scrape.ts'
import { statementMetrics } from '#platform/metrics/statement-metrics.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { HashQueue } from '../auth/password/hash-queue.ts'
import type { BackupService } from '../backup/backup.service.ts'
import type { ConditionService } from '../condition/condition.service.ts'
import type { FileStoreWatch } from '../condition/file-store-watch.ts'
import type { EdgeService } from '../edges/edge.service.ts'
import { isShortened } from '../edges/values/growth.ts'
import type { Readiness } from './readiness.ts'

interface MetricsParts {
  condition: ConditionService['parts']
  build: Build
  readiness: Pick<Readiness, 'isReady'>
  requests: Pick<RequestMetrics, 'write'>
  pools: Readonly<Record<string, Pick<OpenDatabase, 'pool' | 'waiting'>>>
  replicas: Pick<Replicas, 'states' | 'served'>
  events: Pick<Events, 'lag' | 'now'>
  hashes: Pick<HashQueue, 'load'>
  edges: Pick<EdgeService, 'fleet' | 'connected'>
  sockets: { open(): number }
  disk: Pick<DiskSpace, 'read' | 'reserve'>
  backups: Pick<BackupService, 'last'>
  cleanUpFailures: Pick<CleanUpFailures, 'list'>
  fileStore: Pick<FileStoreWatch, 'latest'>
  log: Log
}

const seconds = (milliseconds: number) => milliseconds / 1000

/**
 * Serves the metrics of this node, and those of the whole installation, which each node reads from the database. No
 * label names a project, an edge or a person, so that the number of series does not grow with them.
 */
export function createMetricsService(parts: MetricsParts) {
  const {
    condition,
    build,
    readiness,
    requests,
    pools,
    replicas,
    events,
    hashes,
    edges,
    sockets,
    disk,
    backups,
    cleanUpFailures,
    fileStore,
    log,
  } = parts
  const delay = createEventLoopDelay()

  function ofReplicas({ gauges, counters }: Scrape): void {
    const states = replicas.states()
    if (states.length === 0) return
    gauges(
      'pult_database_replica_lag_seconds',
      'Seconds by which a replica is behind the primary; none while it does not answer.',
      'replica',
      Object.fromEntries(states.flatMap(({ name, lag }) => (lag === null ? [] : [[name, lag]]))),
    )
    gauges(
      'pult_database_replica_serving',
      '1 while a replica serves heavy reads of this node. The member that takes writes has no series.',
      'replica',
      Object.fromEntries([
        ...states.filter(({ trouble }) => trouble === null).map(({ name }) => [name, 1] as const),
        ...faultyReplicas(states).map(({ name }) => [name, 0] as const),
      ]),
    )
    const help = 'Heavy reads of this node by the server that answered them.'
    const served = Object.entries(replicas.served())
    counters(
      'pult_heavy_reads_total',
      help,
      ['server'],
      served.map(([by, total]) => ({ labels: { server: by }, total })),
    )
  }

  function eventLoop({ counter, gauges }: Scrape): void {
    counter(
      'pult_event_loop_active_seconds_total',
      'Time in which the event loop of this node was busy.',
      seconds(performance.eventLoopUtilization().active),
    )
    const help = 'Delay of the event loop of this node in the last one to two minutes.'
    gauges('pult_event_loop_delay_seconds', help, 'percentile', delay.read())
  }

  function ofProcess({ counter, gauge }: Scrape): void {
    const { user, system } = process.cpuUsage()
    counter('process_cpu_seconds_total', 'User and system time of this node.', (user + system) / 1e6)
    gauge('process_resident_memory_bytes', 'Resident memory of this node.', process.memoryUsage.rss())
    const help = 'Start of this node since the epoch.'
    gauge('process_start_time_seconds', help, seconds(performance.timeOrigin))
  }

  function node(scrape: Scrape): void {
    const { gauge, gauges } = scrape
    const { version, commit } = build
    gauge(
      'pult_ready',
      '1 while this node can sign users in, write and run background work.',
      Number(readiness.isReady()),
    )
    gauge('pult_build_info', 'The running version.', 1, { version, commit, node: process.version })
    const ofPools = (read: (pool: Pick<OpenDatabase, 'pool' | 'waiting'>) => number) =>
      Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, read(pool)]))
    gauges(
      'pult_database_pool_connections',
      'Open database connections of this node.',
      'pool',
      ofPools(({ pool }) => pool.totalCount),
    )
    gauges(
      'pult_database_pool_idle_connections',
      'Idle database connections of this node.',
      'pool',
      ofPools(({ pool }) => pool.idleCount),
    )
    gauges(
      'pult_database_pool_waiting_requests',
      'Requests of this node that wait for a connection.',
      'pool',
      ofPools(({ waiting }) => waiting()),
    )
    ofReplicas(scrape)
    const lagHelp = 'Longest time by which an event can be late on this node.'
    gauge('pult_event_lag_seconds', lagHelp, seconds(events.lag()))
    const offsetHelp = 'Seconds by which the clock of this node is ahead of that of the database.'
    gauge('pult_clock_offset_seconds', offsetHelp, seconds(Date.now() - events.now()))
    gauge('pult_sockets', 'Open sockets of consoles on this node.', sockets.open())
    gauge('pult_edge_connections', 'Agents of edges connected to this node.', edges.connected())
    const { running, waiting } = hashes.load()
    gauges('pult_password_hashes', 'Password hashes of this node.', 'state', { running, waiting })
    gauge(
      'pult_file_store_ready',
      '1 while the file store answers and files can be read and written.',
      Number(fileStore.latest() === null),
    )
    const failuresHelp = 'Clean-ups that have failed at least twice in a row on this node.'
    gauge('pult_clean_up_failed', failuresHelp, cleanUpFailures.list().length)
    gauge('pult_disk_reserve_bytes', 'Space that files leave free.', disk.reserve)
    const space = disk.read()
    if (space !== undefined) {
      gauge('pult_disk_free_bytes', 'Free space of the fullest disk of this node.', space.free)
      gauge('pult_disk_size_bytes', 'Size of the fullest disk of this node.', space.size)
    }
    eventLoop(scrape)
    ofProcess(scrape)
  }

  /** Ages are by the database's clock, which wrote the times. */
  const ageOf = (time: string | null) =>
    time === null ? 0 : Math.max(0, seconds(events.now() - Date.parse(time)))

  /**
   * Omits a part that cannot be read, so that a database outage does not hide the metrics of the node. Returns its name,
   * and 1 if it failed: the alerts of an omitted part do not fire.
   */
  async function part(name: string, read: () => Promise<void>): Promise<[string, number]> {
    try {
      await read()
      return [name, 0]
    } catch (err) {
      log.debug({ err, part: name }, 'a part of the metrics could not be read')
      return [name, 1]
    }
  }

  /** Values of the installation, which are the same on every node. */
  async function installation({ gauge, gauges }: Scrape): Promise<void> {
    const results = await Promise.all([
      part('jobs', async () => {
        const { waiting, running, failed, oldest, tasks } = await condition.jobs()
        const help = 'Background jobs; failed ones of the last 24 hours.'
        gauges('pult_jobs', help, 'state', { waiting, running, failed })
        gauge('pult_job_oldest_due_seconds', 'Time for which the oldest due job has been due.', ageOf(oldest))
        gauges('pult_tasks', 'Tasks; failed ones of the last 24 hours.', 'state', { ...tasks })
      }),
      part('mails', async () => {
        const { waiting, failed, trouble } = await condition.mail()
        const help = 'Waiting mails, and mails that expired within seven days.'
        gauges('pult_mails', help, 'state', { waiting, failed })
        const ageHelp = 'Age of the oldest waiting mail that could not be sent.'
        gauge('pult_mail_oldest_unsent_seconds', ageHelp, ageOf(trouble?.since ?? null))
      }),
      part('backups', async () => {
        const { madeAt, provenAt, failure, drillFailure } = await backups.last()
        const times = Object.entries({ backup: madeAt, drill: provenAt })
        gauges(
          'pult_backup_success_timestamp_seconds',
          'Time of the last backup by the server, and of its last proven restore, since the epoch.',
          'step',
          Object.fromEntries(
            times.flatMap(([step, at]) => (at === null ? [] : [[step, seconds(at.getTime())]])),
          ),
        )
        const help = '1 while the last backup by the server, or its last restore drill, has failed.'
        gauges('pult_backup_failed', help, 'step', {
          backup: Number(failure !== null),
          drill: Number(drillFailure !== null),
        })
      }),
      part('edges', async () => {
        const { counts } = await edges.fleet.condition(sql`select id from project`, 0)
        // Silent edges are a part of the offline ones.
        const { total: _total, silent: _silent, ...states } = counts
        gauges('pult_edges', 'Edges by state.', 'state', states)
      }),
      part('values', async () => {
        const growths = await condition.values()
        const used = growths.reduce((sum, growth) => sum + growth.used, 0)
        gauge('pult_edge_values_bytes', 'Recorded values of the edges of all projects.', used)
        const help = 'Projects whose quota shortens the retention of values within a day.'
        const shortened = growths.filter((growth) => isShortened(growth, 1))
        gauge('pult_edge_values_projects_over_quota', help, shortened.length)
      }),
      part('database', async () => {
        const { size, connections, connectionsMax } = await condition.database()
        gauge('pult_database_size_bytes', 'Size of the database.', size)
        gauge('pult_database_connections', 'Connections of all clients of the database.', connections)
        const help = 'Connections that the database accepts.'
        gauge('pult_database_connections_limit', help, connectionsMax)
      }),
      part('nodes', async () => {
        const nodes = await condition.nodes()
        const alive = nodes.filter(({ isAlive }) => isAlive).length
        gauges('pult_nodes', 'Nodes of the installation.', 'state', { alive, lost: nodes.length - alive })
      }),
    ])
    const help = '1 while this node cannot read a part of the metrics of the installation.'
    gauges('pult_metrics_part_failed', help, 'part', Object.fromEntries(results))
  }

  return {
    /** Returns the text that Prometheus reads, with its media type. */
    async read(): Promise<{ type: string; text: string }> {
      // The first scrape loads the library.
      const client = await import('prom-client')
      const scrape = createScrape(client)
      requests.write(scrape)
      statementMetrics.write(scrape)
      node(scrape)
      await installation(scrape)
      return { type: scrape.registry.contentType, text: await scrape.registry.metrics() }
    },
    stop: delay.stop,
  }
}
export type MetricsService = ReturnType<typeof createMetricsService>
