import { useCall, useProject } from '@pult/sdk'
import { mediaEndpoints } from '@pult/sdk/api'
import styles from './library.module.css'
import { texts } from './media.texts.ts'

/** The number of tags that fit above the media. The search finds the others. */
const most = 12

interface TagFilterProps {
  chosen: readonly string[]
  onChange: (tags: string[]) => void
}

/** The most used tags as toggle buttons. Selected tags are always included. */
export function TagFilter({ chosen, onChange }: TagFilterProps) {
  const { _id: projectId } = useProject()
  const { data } = useCall(mediaEndpoints.tags, { params: { projectId } })
  const tags = data?.items ?? []
  const names = [...new Set([...chosen, ...tags.slice(0, most).map(({ tag }) => tag)])]
  if (names.length === 0) return null
  // A chosen tag may not be among the listed ones.
  const countOf = (name: string) => tags.find(({ tag }) => tag === name)?.count
  const hidden = (data?.total ?? 0) - names.length
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
      {hidden > 0 && <span className={styles.tagCount}>{texts.moreTags(hidden)}</span>}
    </div>
  )
}
