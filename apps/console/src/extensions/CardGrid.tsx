import type { HomeCardsOrder } from '@pult/contract'
import { Awaited, Button, IconButton, Menu, MenuItem, MenuTrigger, VisuallyHidden } from '@pult/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import EyeOff from 'lucide-react/icons/eye-off'
import { useLayoutEffect, useRef, useState } from 'react'
import { changeSettings, useSettings } from '../settings/settings.queries.ts'
import { AppCardFrame } from './AppCardFrame.tsx'
import styles from './AppCards.module.css'
import { CardHandle } from './CardHandle.tsx'
import { inUserOrder, withMoved } from './card-order.ts'
import type { AppCard } from './cards.ts'
import { texts } from './extensions.texts.ts'

const standard: HomeCardsOrder = { order: [], hidden: [] }

/** The cards of apps on home, which the user orders and hides. The account stores the arrangement. */
export function CardGrid({ cards }: { cards: readonly AppCard[] }) {
  const { data: settings, error } = useSettings()
  const [over, setOver] = useState<number | null>(null)
  const [moved, setMoved] = useState('')
  const grid = useRef<HTMLDivElement>(null)
  const focused = useRef<number | null>(null)
  // A card that moves within the document loses the focus.
  useLayoutEffect(() => {
    if (focused.current === null) return
    const cell = grid.current?.querySelectorAll('[data-cell]')[focused.current]
    focused.current = null
    cell?.querySelector<HTMLElement>('[data-handle] button')?.focus()
  })
  if (settings === undefined && error === null) return <Awaited height="160px" />

  const arranged = settings?.homeCards ?? standard
  const arrange = (homeCards: HomeCardsOrder) => void changeSettings({ homeCards })
  const ordered = inUserOrder(cards, arranged)
  const shown = ordered.filter(({ key }) => !arranged.hidden.includes(key))
  const hiddenCount = ordered.length - shown.length
  const move = (from: number, to: number) => {
    const card = shown[from]?.card
    if (card === undefined || to < 0 || to >= shown.length) return
    focused.current = to
    setMoved(texts.cardMoved(card.label, to + 1, shown.length))
    arrange(
      withMoved(
        arranged,
        shown.map(({ key }) => key),
        { from, to },
      ),
    )
  }
  const keys = new Set(cards.map(({ key }) => key))
  return (
    <section className={styles.cards} aria-label={texts.cards}>
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
      <div ref={grid} className={styles.grid} data-cells="">
        {shown.map((each, at) => (
          <AppCardFrame
            key={each.key}
            app={each.app}
            card={each.card}
            isTarget={over === at}
            menu={
              <>
                {shown.length > 1 && (
                  <span data-handle="">
                    <CardHandle
                      label={each.card.label}
                      place={at}
                      onOver={(place) => setOver(place === at ? null : place)}
                      onMove={(to) => move(at, to)}
                    />
                  </span>
                )}
                <CardMenu
                  label={each.card.label}
                  onBack={at > 0 ? () => move(at, at - 1) : undefined}
                  onForward={at < shown.length - 1 ? () => move(at, at + 1) : undefined}
                  onHide={() => arrange({ ...arranged, hidden: [...arranged.hidden, each.key] })}
                />
              </>
            }
          />
        ))}
      </div>
      {hiddenCount > 0 && (
        <Button
          onClick={() => arrange({ ...arranged, hidden: arranged.hidden.filter((key) => !keys.has(key)) })}
        >
          {texts.showHiddenCards(hiddenCount)}
        </Button>
      )}
    </section>
  )
}

interface CardMenuProps {
  label: string
  onBack: (() => void) | undefined
  onForward: (() => void) | undefined
  onHide: () => void
}

function CardMenu({ label, onBack, onForward, onHide }: CardMenuProps) {
  return (
    <MenuTrigger>
      <IconButton label={texts.cardMenu(label)} icon={<EllipsisVertical aria-hidden="true" />} />
      <Menu placement="bottom end">
        {onBack && (
          <MenuItem icon={<ArrowLeft />} onAction={onBack}>
            {texts.moveForward}
          </MenuItem>
        )}
        {onForward && (
          <MenuItem icon={<ArrowRight />} onAction={onForward}>
            {texts.moveBack}
          </MenuItem>
        )}
        <MenuItem icon={<EyeOff />} onAction={onHide}>
          {texts.hideCard}
        </MenuItem>
      </Menu>
    </MenuTrigger>
  )
}
