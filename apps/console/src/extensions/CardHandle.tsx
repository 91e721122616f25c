import { IconButton } from '@pult/ui'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import styles from './AppCards.module.css'
import { texts } from './extensions.texts.ts'

const stepOf: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Returns the index of the grid cell under the pointer. */
function placeAt({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): number | undefined {
  const cell = document.elementFromPoint(clientX, clientY)?.closest('[data-cell]')
  const cells = [...(currentTarget.closest('[data-cells]')?.querySelectorAll('[data-cell]') ?? [])]
  const place = cell === null || cell === undefined ? -1 : cells.indexOf(cell)
  return place < 0 ? undefined : place
}

interface CardHandleProps {
  label: string
  /** The card's index in the grid. */
  place: number
  onOver: (place: number | null) => void
  onMove: (to: number) => void
}

/** Moves a card by dragging it onto another one, or with the arrow keys. */
export function CardHandle({ label, place, onOver, onMove }: CardHandleProps) {
  const [isDragged, setDragged] = useState(false)
  const target = useRef(place)
  const end = () => {
    setDragged(false)
    onOver(null)
  }
  const start = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    target.current = place
    setDragged(true)
  }
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    if (!isDragged) return
    target.current = placeAt(event) ?? target.current
    onOver(target.current)
  }
  const drop = () => {
    if (!isDragged) return
    end()
    if (target.current !== place) onMove(target.current)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isDragged) {
      event.stopPropagation()
      end()
      return
    }
    const step = stepOf[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onMove(place + step)
  }
  return (
    <IconButton
      className={styles.handle}
      label={texts.moveCard(label)}
      icon={<GripVertical aria-hidden="true" />}
      data-dragged={isDragged || undefined}
      onPointerDown={start}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={end}
      onKeyDown={press}
    />
  )
}
