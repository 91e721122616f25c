import type { AgentMessage, EdgeServerMessage } from '@pult/contract'
import { writeLog } from '../agent-log.ts'
import { reasonOf } from '../state.ts'
import type { FoundLines } from './log-store.ts'

type Asked = Extract<EdgeServerMessage, { type: 'log' }>

/** Milliseconds between two answers, because the server closes a connection with too many messages. */
const pause = 120

/** Maximum number of waiting requests. Further requests receive no answer. */
const waitingMost = 20

/** Answers requests for lines of a log, one after the other. */
export function createLogAnswers(readLog: (key: string, asked: Omit<Asked, 'key'>) => Promise<FoundLines>) {
  let waiting = 0
  let work: Promise<void> = Promise.resolve()

  return function answer(asked: Asked, send: (message: AgentMessage) => void): Promise<void> {
    if (waiting >= waitingMost) return work
    waiting += 1
    work = work.then(async () => {
      try {
        send({ type: 'log', id: asked.id, ...(await readLog(asked.key, asked)) })
      } catch (error) {
        writeLog(`The log of ${asked.key} cannot be read: ${reasonOf(error)}`)
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
      waiting -= 1
    })
    return work
  }
}
