import { type ComponentProps, type ComponentType, type RefObject, useEffect, useRef, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { useStore } from '#platform/use-store.ts'
import { type FrameLayer, frameLayer } from './frame-layer.ts'
import { texts } from './shell.texts.ts'

export interface DropdownContentProps {
  /** The button that opened it. */
  anchor: RefObject<HTMLButtonElement | null>
  open: boolean
  onClose: () => void
}

interface DropdownProps {
  layer: FrameLayer
  /** Must pass on all its props to a `<button>`. */
  button: ComponentType<ComponentProps<'button'>>
  load: () => Promise<ComponentType<DropdownContentProps>>
}

const close = () => frameLayer.set(null)

/** A button of the frame and the layer below it. The layer's code loads on hover or focus of the button. */
export function Dropdown({ layer, button: DropdownButton, load }: DropdownProps) {
  const open = useStore(frameLayer) === layer
  const button = useRef<HTMLButtonElement>(null)
  const [Content, setContent] = useState<ComponentType<DropdownContentProps> | null>(null)

  useEffect(() => {
    if (!open || Content !== null) return
    load().then(
      (loaded) => setContent(() => loaded),
      (error: unknown) => {
        close()
        notify.error(texts.menuFailed, error)
      },
    )
  }, [open, Content, load])

  const prepare = () => void load().catch(() => {})
  const show = () => frameLayer.set(layer)
  return (
    <>
      <DropdownButton
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={show}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          show()
        }}
      />
      {Content && <Content anchor={button} open={open} onClose={close} />}
    </>
  )
}
