import type { Task, TaskLogLine } from '@pult/contract'
import { Loaded } from '@pult/sdk/resource'
import { isOpen, lineOf, titleInWords, useTaskTexts } from '@pult/sdk/task-list'
import { formatInstant, formatTime, ScrollRegion } from '@pult/ui'
import { useLayoutEffect, useRef } from 'react'
import styles from './TaskDetails.module.css'
import { useTaskLog } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

/** The log of a task, with new lines as they arrive. Stays scrolled to the end if the user is there. */
export function TaskLog({ task }: { task: Task }) {
  const taskTexts = useTaskTexts()
  return (
    <section className={styles.logPart}>
      <h3 className={styles.logTitle}>{texts.log}</h3>
      <Loaded query={useTaskLog(task)} failed={texts.logFailed}>
        {({ items: lines }) =>
          lines.length === 0 ? (
            <p className={styles.noLog}>{isOpen(task) ? texts.noLogYet : texts.noLog}</p>
          ) : (
            <Lines title={titleInWords(task, taskTexts)} lines={lines} />
          )
        }
      </Loaded>
    </section>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly TaskLogLine[] }) {
  const taskTexts = useTaskTexts()
  const log = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    if (isAtEnd.current && log.current) log.current.scrollTop = log.current.scrollHeight
  }, [lines])
  const noteEnd = () => {
    if (!log.current) return
    const { scrollTop, scrollHeight, clientHeight } = log.current
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8
  }
  return (
    <ScrollRegion as="ol" ref={log} className={styles.log} aria-label={texts.logOf(title)} onScroll={noteEnd}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Two lines may be equal.
        <li key={`${line.at} ${index}`} className={styles.line}>
          <time dateTime={line.at} title={formatInstant(line.at)}>
            {formatTime(line.at)}
          </time>
          <span>{lineOf(line, taskTexts)}</span>
        </li>
      ))}
    </ScrollRegion>
  )
}
