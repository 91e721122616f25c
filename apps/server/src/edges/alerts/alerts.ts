import type { Db } from '#platform/database/database.ts'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Events } from '#platform/realtime/events.ts'
import { publishByProject } from '../edge-topic.ts'
import { createAlertRepository } from './alert.repository.ts'
import { offlineLetter } from './offline-letter.ts'

interface AlertsParts {
  db: Db
  events: Events
  mailer: Mailer
  publicUrl: string
  log: Log
}

const checkInterval = 2000

/** Alerts users of edges that stay offline: on screen in the project, and its owner by mail. */
export function createAlerts({ db, events, mailer, publicUrl, log }: AlertsParts) {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined

  /** Marks the alert and enqueues its mail in one transaction: each outage is announced once, and none is lost. */
  async function check(): Promise<void> {
    if (!(await createAlertRepository(db).isAnyAway())) return
    await events.transaction(async (trx, emit) => {
      const away = await createAlertRepository(trx).claim()
      if (away.length === 0) return
      const begun = away.filter(({ isNew }) => isNew)
      await publishByProject(emit, begun, {
        name: 'edge:alert',
        dataOf: ({ id, label }) => ({ _id: id, label }),
      })
      const mailed = away.filter(({ email }) => email !== null)
      for (const edges of Map.groupBy(mailed, ({ projectId }) => projectId).values()) {
        const to = edges[0]?.email
        if (to) await mailer.enqueue(trx, offlineLetter({ to, edges, publicUrl }))
      }
    })
  }

  function checkSoon(): void {
    working ??= asWork('edge alerts', check)
      .catch((err: unknown) => log.warn({ err }, 'alerts of offline edges could not be sent'))
      .finally(() => {
        working = undefined
      })
  }

  return {
    start(): void {
      timer = setInterval(checkSoon, checkInterval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },
  }
}
