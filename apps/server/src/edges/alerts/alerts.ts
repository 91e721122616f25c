import type { Db } from '#platform/database/database.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Events } from '#platform/realtime/events.ts'
import { tellByProject } from '../edge-news.ts'
import { createAlertRepository } from './alert.repository.ts'
import { offlineLetter } from './offline-letter.ts'

interface AlertsParts {
  db: Db
  events: Events
  mailer: Mailer
  publicUrl: string
  log: Log
}

const lookInterval = 2000

/** Alerts users of edges that stay offline: on screen in the project, and its owner by mail. */
export function createAlerts({ db, events, mailer, publicUrl, log }: AlertsParts) {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined

  /** The alert's mark and its mail commit in one transaction: each outage is announced once, and none is lost. */
  async function look(): Promise<void> {
    if (!(await createAlertRepository(db).isAnyAway())) return
    await events.transaction(async (trx, emit) => {
      const away = await createAlertRepository(trx).claim()
      if (away.length === 0) return
      await tellByProject(emit, away, {
        name: 'edge:alert',
        toldOf: ({ id, label }) => ({ _id: id, label }),
      })
      const mailed = away.filter(({ email }) => email !== null)
      for (const edges of Map.groupBy(mailed, ({ projectId }) => projectId).values()) {
        const to = edges[0]?.email
        if (to) await mailer.enqueue(trx, offlineLetter({ to, edges, publicUrl }))
      }
    })
  }

  function lookSoon(): void {
    working ??= look()
      .catch((err: unknown) => log.warn({ err }, 'people could not be told of edges that are away'))
      .finally(() => {
        working = undefined
      })
  }

  return {
    start(): void {
      timer = setInterval(lookSoon, lookInterval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },
  }
}
