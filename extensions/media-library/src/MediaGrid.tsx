import { useAppPath } from '@pult/sdk'
import type { MediaItem } from '@pult/sdk/api'
import { Link, VisuallyHidden } from '@pult/sdk/ui'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import styles from './library.module.css'
import { MediaPreview } from './MediaPreview.tsx'
import type { Selection } from './MediaSelection.tsx'
import { texts } from './media.texts.ts'
import { NoteSigns } from './NoteSigns.tsx'

interface MediaGridProps {
  items: readonly MediaItem[]
  /** Null for users who may only view. */
  selection: Selection | null
  onDelete: (items: readonly MediaItem[]) => void
}

/** Must match the tile width in the styles. */
const sizes = '(max-width: 480px) 46vw, 220px'

/**
 * A grid of tiles with a roving tab stop: one tile is in the tab order, and arrow keys, Home and End move to the
 * others.
 */
export function MediaGrid({ items, selection, onDelete }: MediaGridProps) {
  const pathOf = useAppPath()
  const grid = useRef<HTMLUListElement>(null)
  const [stop, setStop] = useState(0)
  const hint = useId()
  const current = Math.min(stop, items.length - 1)

  const tiles = () => [...(grid.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
  const focus = (index: number) => {
    const target = tiles()[index]
    if (target === undefined) return
    setStop(index)
    target.focus()
  }
  const isSelected = (id: string) => selection?.ids.has(id) ?? false
  const toggle = (id: string) => {
    const ids = new Set(selection?.ids)
    if (!ids.delete(id)) ids.add(id)
    selection?.set(ids)
  }
  const press = (event: KeyboardEvent, index: number, item: MediaItem) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to = targetOf(event.key, index, tiles())
    if (to !== undefined) focus(to)
    else if (event.key === ' ' && selection !== null) toggle(item._id)
    else if (event.key === 'Delete' && selection !== null) {
      onDelete(isSelected(item._id) ? selection.items : [item])
    } else return
    event.preventDefault()
  }

  return (
    <>
      <VisuallyHidden id={hint}>{selection === null ? texts.keysOfReader : texts.keys}</VisuallyHidden>
      <ul ref={grid} className={styles.grid} aria-label={texts.media} aria-describedby={hint}>
        {items.map((item, index) => (
          <li key={item._id} className={styles.tile} data-selected={isSelected(item._id) || undefined}>
            <Link
              href={pathOf(`edit/${item._id}`)}
              className={styles.tileLink}
              data-tile=""
              tabIndex={index === current ? 0 : -1}
              onFocus={() => setStop(index)}
              onKeyDown={(event) => press(event, index, item)}
            >
              <span className={styles.frame}>
                <MediaPreview item={item} sizes={sizes} />
                <NoteSigns item={item} className={styles.noteSigns} />
              </span>
              <span className={styles.tileLabel}>{item.label}</span>
              <VisuallyHidden>
                {texts.types[item.source.type]}
                {item.state === 'processing' && `, ${texts.processing}`}
                {item.state === 'failed' && `, ${texts.failed}`}
              </VisuallyHidden>
            </Link>
            {selection !== null && (
              <input
                type="checkbox"
                className={styles.check}
                aria-label={texts.select(item.label)}
                tabIndex={index === current ? 0 : -1}
                checked={isSelected(item._id)}
                onChange={() => toggle(item._id)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Returns the target tile of a key. One row up or down, it is the nearest tile, for every number of columns. */
function targetOf(key: string, index: number, tiles: readonly HTMLElement[]): number | undefined {
  const topOf = (at: number) => tiles[at]?.getBoundingClientRect().top ?? 0
  const columns = tiles.findIndex((_tile, at) => at > 0 && topOf(at) > topOf(0) + 1)
  const step = columns === -1 ? tiles.length : columns
  switch (key) {
    case 'ArrowRight':
      return Math.min(index + 1, tiles.length - 1)
    case 'ArrowLeft':
      return Math.max(index - 1, 0)
    case 'ArrowDown':
      return index + step < tiles.length ? index + step : tiles.length - 1
    case 'ArrowUp':
      return index - step >= 0 ? index - step : index
    case 'Home':
      return 0
    case 'End':
      return tiles.length - 1
    default:
      return undefined
  }
}
