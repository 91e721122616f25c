import type { DeckIcon } from '@pult/contract'
import { useEffect, useRef } from 'react'
import { iconPath } from './deck-icons.ts'
import { contextOf } from './deck-picture.ts'
import styles from './IconChoice.module.css'
import { texts } from './stream-decks.texts.ts'

interface IconChoiceProps {
  icons: readonly DeckIcon[]
  value: DeckIcon | null
  onChange: (icon: DeckIcon | null) => void
}

/** The icons of a key, drawn as on the key. */
export function IconChoice({ icons, value, onChange }: IconChoiceProps) {
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{texts.icon}</legend>
      <div className={styles.icons}>
        {[null, ...icons].map((icon) => (
          <label key={icon} className={styles.option} title={icon ?? texts.noIcon}>
            <input
              type="radio"
              name="key-icon"
              className={styles.input}
              aria-label={icon ?? texts.noIcon}
              checked={icon === value}
              onChange={() => onChange(icon)}
            />
            {icon === null ? <span className={styles.none}>–</span> : <Icon icon={icon} />}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Icon({ icon }: { icon: DeckIcon }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current === null) return
    const size = Math.round(18 * devicePixelRatio)
    ;[canvas.current.width, canvas.current.height] = [size, size]
    const context = contextOf(canvas.current)
    context.scale(size / 24, size / 24)
    context.lineWidth = 2
    context.lineCap = 'round'
    context.lineJoin = 'round'
    context.strokeStyle = '#ffffff'
    context.stroke(iconPath(icon))
  }, [icon])
  return <canvas ref={canvas} className={styles.icon} aria-hidden="true" />
}
