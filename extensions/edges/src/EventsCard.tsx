import { useCall, useProject } from '@pult/sdk'
import { type Edge, type EdgeEvent, edgeEventEndpoints } from '@pult/sdk/api'
import { Loaded } from '@pult/sdk/resource'
import { Button, Card, Duration, type Status, StatusShape, TimeAgo } from '@pult/sdk/ui'
import { type ReactNode, useState } from 'react'
import styles from './edges.module.css'
import { itemsOf } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** Number of events shown initially. */
const fewest = 6

/** Polling interval in milliseconds. The events of the edge's topic cause further reads. */
const readEvery = 15_000

/** Outages and actions of users, newest first. */
export function EventsCard({ edge: { _id: edgeId } }: { edge: Edge }) {
  const [isOpen, setOpen] = useState(false)
  const { _id: projectId } = useProject()
  const input = { params: { projectId, edgeId } }
  const query = useCall(edgeEventEndpoints.list, input, { select: itemsOf, every: readEvery })
  return (
    <Card title={texts.events}>
      <Loaded query={query} failed={texts.eventsFailed}>
        {(events) =>
          events.length === 0 ? (
            <p className={styles.quiet}>{texts.noEvents}</p>
          ) : (
            <>
              <ol className={styles.events} aria-label={texts.events}>
                {(isOpen ? events : events.slice(0, fewest)).map((event) => (
                  <Row
                    key={event.kind === 'action' ? event._id : `${event.kind} ${event.at}`}
                    event={event}
                  />
                ))}
              </ol>
              {!isOpen && events.length > fewest && (
                <Button variant="ghost" onClick={() => setOpen(true)}>
                  {texts.allEvents(events.length)}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function Row({ event }: { event: EdgeEvent }) {
  const { status, title, detail } = contentOf(event)
  return (
    <li>
      <span className={styles.eventTime}>
        <TimeAgo at={event.at} />
      </span>
      <StatusShape status={status} />
      <span>
        {title}
        {detail !== null && <span className={styles.quiet}> · {detail}</span>}
      </span>
    </li>
  )
}

function contentOf(event: EdgeEvent): { status: Status; title: string; detail: ReactNode } {
  switch (event.kind) {
    case 'offline':
      return { status: 'danger', title: texts.wentOffline, detail: null }
    case 'online':
      return {
        status: 'ok',
        title: texts.cameBack,
        detail: (
          <>
            {texts.offlineFor} <Duration from={event.since} to={event.at} />
          </>
        ),
      }
    case 'action': {
      const { program, version, actor } = event
      return {
        status: 'info',
        title: titleOf(event.event, program, version),
        detail: actor === null ? null : texts.by(actor.name),
      }
    }
  }
}

function titleOf(event: string, program: string | null, version: string | null): string {
  if (program !== null) {
    if (event === 'edge.restarted') return texts.programRestarted(program)
    if (event === 'edge.program-started') return texts.programStarted(program)
    if (event === 'edge.program-stopped') return texts.programStopped(program)
    return texts.programChanged(program)
  }
  if (event === 'edge.update-ordered' && version !== null) return texts.updateStarted(version)
  const { [event]: title = texts.otherAction } = texts.actionsTaken as Record<string, string>
  return title
}
