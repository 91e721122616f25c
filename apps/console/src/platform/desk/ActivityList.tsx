import type { ActivityEntry } from '@pult/contract'
import { AppTile, Avatar, Elapsed } from '@pult/ui'
import Bot from 'lucide-react/icons/bot'
import type { ReactNode } from 'react'
import styles from './ActivityList.module.css'
import { texts } from './desk.texts.ts'

interface ActivityListProps<Entry extends ActivityEntry> {
  label: string
  entries: readonly Entry[]
  /** After the sentence: where it happened. */
  placeOf?: (entry: Entry) => ReactNode
}

/** What happened lately: a face, one sentence and the time of each entry. */
export function ActivityList<Entry extends ActivityEntry>({
  label,
  entries,
  placeOf,
}: ActivityListProps<Entry>) {
  return (
    <ul className={styles.list} aria-label={label}>
      {entries.map((entry) => (
        <li key={entry._id} className={styles.entry}>
          <span className={styles.face}>
            {entry.actor === null ? (
              <AppTile id="machine" tint="slate" size="small" icon={<Bot />} />
            ) : (
              <Avatar id={entry.actor._id} name={entry.actor.name} />
            )}
          </span>
          <span className={styles.words}>
            <span className={styles.sentence}>
              <Sentence entry={entry} />
            </span>
            {placeOf && (
              <span className={styles.place}>
                {placeOf(entry)} · <Elapsed since={entry.at} />
              </span>
            )}
          </span>
          {!placeOf && (
            <span className={styles.time}>
              <Elapsed since={entry.at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

const wordsOf = (catalogue: object, event: string): string | undefined =>
  Object.hasOwn(catalogue, event) ? String(Reflect.get(catalogue, event)) : undefined

function Sentence({ entry: { event, actor, target, count } }: { entry: ActivityEntry }) {
  const { activity } = texts
  const many = count > 1 ? wordsOf(activity.many, event) : undefined
  const isSelf = actor !== null && actor._id === target?._id
  const self = isSelf ? wordsOf(activity.self, event) : undefined
  const sentence = many ?? self ?? wordsOf(activity.one, event) ?? activity.other
  const [room = ''] = event.split('.')
  const values: Record<string, ReactNode> = {
    who: <b>{actor === null ? activity.installation : actor.name || activity.goneAccount}</b>,
    what:
      target?.label == null ? (
        (wordsOf(activity.unnamed, room) ?? activity.unnamed.other)
      ) : (
        <b>{target.label}</b>
      ),
    count,
    event,
  }
  return (
    <>
      {sentence.split(/[{}]/).map((part, index) => (
        // Every second part is the name of a value.
        <span key={part}>{index % 2 === 1 ? values[part] : part}</span>
      ))}
    </>
  )
}
