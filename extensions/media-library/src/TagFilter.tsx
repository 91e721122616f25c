import styles from './library.module.css'
import { useTags } from './media.queries.ts'
import { texts } from './media.texts.ts'

/** As many as fit above the media; the search finds by the others. */
const most = 12

interface TagFilterProps {
  chosen: readonly string[]
  onChange: (tags: string[]) => void
}

/** The tags that are used most, each a switch. What is chosen is always among them. */
export function TagFilter({ chosen, onChange }: TagFilterProps) {
  const { data: tags = [] } = useTags()
  const names = [...new Set([...chosen, ...tags.slice(0, most).map(({ tag }) => tag)])]
  if (names.length === 0) return null
  const countOf = (name: string) => tags.find(({ tag }) => tag === name)?.count ?? 0
  return (
    <div className={styles.tagFilter} role="group" aria-label={texts.tagsFilter}>
      {names.map((name) => {
        const isChosen = chosen.includes(name)
        const toggled = isChosen ? chosen.filter((tag) => tag !== name) : [...chosen, name]
        return (
          <button
            key={name}
            type="button"
            className={styles.tagSwitch}
            aria-pressed={isChosen}
            onClick={() => onChange(toggled)}
          >
            {name} <span className={styles.tagCount}>{countOf(name)}</span>
          </button>
        )
      })}
    </div>
  )
}
