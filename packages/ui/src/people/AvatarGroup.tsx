import { useUiEnvironment } from '../provider/UiProvider.tsx'
import styles from './Avatar.module.css'
import { Avatar } from './Avatar.tsx'

export interface AvatarGroupProps {
  /** The people to show; the group shows at most four. */
  people: readonly { _id: string; name: string }[]
  /** Number of all people, including those who are not in `people`. */
  total: number
}

const shownAtMost = 4

/** Shows up to four people as overlapping avatars, and the number of the others. */
export function AvatarGroup({ people, total }: AvatarGroupProps) {
  const { locale = 'de' } = useUiEnvironment()
  const shown = people.slice(0, shownAtMost)
  const rest = total - shown.length
  const names = shown.map(({ name }) => name)
  const text = new Intl.ListFormat(locale, { type: 'unit' }).format(rest > 0 ? [...names, `+${rest}`] : names)
  return (
    <span className={styles.group} role="img" aria-label={text} title={text}>
      {shown.map(({ _id, name }) => (
        <Avatar key={_id} id={_id} name={name} />
      ))}
      {rest > 0 && (
        <span className={styles.avatar} data-tint="slate" data-size="medium" aria-hidden="true">
          +{rest}
        </span>
      )}
    </span>
  )
}
