import { Button } from '@pult/ui'
import styles from './SearchedList.module.css'

interface ShowMoreProps {
  /** Null on the last page. */
  more: { load: () => void; isPending: boolean } | null
  label: string
}

/** Loads the next page of a list. */
export function ShowMore({ more, label }: ShowMoreProps) {
  if (more === null) return null
  return (
    <div className={styles.more}>
      <Button onClick={more.load} pending={more.isPending}>
        {label}
      </Button>
    </div>
  )
}
