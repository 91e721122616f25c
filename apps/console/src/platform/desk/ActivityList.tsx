import type { ActivityEntry } from '@pult/contract'
import { AppTile, Avatar, TimeAgo } from '@pult/ui'
import Bot from 'lucide-react/icons/bot'
import type { ReactNode } from 'react'
import styles from './ActivityList.module.css'
import { texts } from './desk.texts.ts'

interface ActivityListProps<Entry extends ActivityEntry> {
  label: string
  entries: readonly Entry[]
  /** The place of the event, shown after the sentence. */
  placeOf?: (entry: Entry) => ReactNode
}

/** Recent activity. Each entry has an avatar, one sentence and its time. */
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
            <Sentence entry={entry} />
            {placeOf && (
              <span className={styles.place}>
                {placeOf(entry)} · <TimeAgo at={entry.at} />
              </span>
            )}
          </span>
          {!placeOf && (
            <span className={styles.time}>
              <TimeAgo at={entry.at} />
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
  const label = target?.label ?? null
  const values: Record<string, string> = {
    who: actor === null ? activity.installation : actor.name || activity.goneAccount,
    what: label ?? wordsOf(activity.unnamed, room) ?? activity.unnamed.other,
    count: String(count),
    event,
  }
  const isName = (part: string) => part === 'who' || (part === 'what' && label !== null)
  const parts = sentence.split(/[{}]/).map((part, index) => {
    // Every second part is a placeholder's name.
    const isValue = index % 2 === 1
    const text = isValue ? (values[part] ?? '') : part
    return { key: `${index} ${part}`, text, isBold: isValue && isName(part) }
  })
  return (
    <span className={styles.sentence} title={parts.map(({ text }) => text).join('')}>
      {parts.map(({ key, text, isBold }) =>
        isBold ? <b key={key}>{text}</b> : <span key={key}>{text}</span>,
      )}
    </span>
  )
}
