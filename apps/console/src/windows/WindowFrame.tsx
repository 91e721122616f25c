import { IconButton, useBackCloses } from '@pult/ui'
import Minus from 'lucide-react/icons/minus'
import X from 'lucide-react/icons/x'
import { type PointerEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { useStore } from '#platform/use-store.ts'
import { AppIcon } from '../extensions/AppIcon.tsx'
import { carry } from './carry.ts'
import { type Drag, followPointer } from './drag.ts'
import { workArea } from './use-work-area.ts'
import styles from './WindowFrame.module.css'
import { WindowMenu } from './WindowMenu.tsx'
import { useWindow } from './window-context.ts'
import {
  type Edges,
  pulledOut,
  type Rect,
  reachable,
  resized,
  seenRect,
  stateAt,
  type WindowState,
} from './window-geometry.ts'
import { endHandling, handling } from './window-keys.ts'
import { texts } from './windows.texts.ts'
import { changeWindow, raiseWindow } from './windows.ts'
import { ZoomButton } from './ZoomButton.tsx'

interface WindowFrameProps {
  /** Previews where a release would snap the window. */
  preview: RefObject<HTMLDivElement | null>
  /** The window in front of all others. */
  isTop: boolean
  children: ReactNode
}

const edges: readonly Edges[] = ([-1, 0, 1] as const).flatMap((x) =>
  ([-1, 0, 1] as const).filter((y) => x !== 0 || y !== 0).map((y) => ({ x, y })),
)

/** A window: a title bar that drags it, edges that resize it, and its content. */
export function WindowFrame({ preview, isTop, children }: WindowFrameProps) {
  const { app, window, title, area, isSheet, close, minimise } = useWindow()
  const { appId, free, state, isMinimised, order } = window
  const frame = useRef<HTMLDivElement>(null)
  const handled = useStore(handling)
  const handledKind = handled?.appId === appId ? handled.kind : null
  const titleId = useId()
  const seen = seenRect(free, isSheet ? 'maximised' : state, area)

  useLayoutEffect(() => {
    if (frame.current) place(frame.current, seen)
  })

  const drag = (event: PointerEvent<HTMLElement>, begin: (element: HTMLElement) => Drag) => {
    const element = frame.current
    if (element === null || isSheet) return
    if (event.target instanceof Element && event.target.closest('button') !== null) return
    followPointer(event.nativeEvent, event.currentTarget, () => begin(element))
  }

  const move = (event: PointerEvent<HTMLElement>) =>
    drag(event, (element) => {
      const { top } = workArea()
      let from = seen
      let to: WindowState = 'free'
      let rect = seen
      element.dataset.dragged = ''
      const carried = carry(element)
      const done = () => {
        delete element.dataset.dragged
        carried.end()
        showPreview(preview.current, null)
      }
      return {
        move: (by, at) => {
          const pointer = { x: at.x, y: at.y - top }
          if (state !== 'free' && from === seen) {
            from = { ...pulledOut(seen, free, { x: at.x - by.x, y: 0 }) }
            place(element, from)
          }
          rect = reachable({ ...from, x: from.x + by.x, y: from.y + by.y }, area)
          carried.to({ x: rect.x - from.x, y: rect.y - from.y })
          to = stateAt(pointer, area)
          showPreview(preview.current, to === 'free' ? null : seenRect(rect, to, area))
        },
        end: () => {
          done()
          // A snapped or maximised window remembers its free position.
          changeWindow(appId, to === 'free' ? { free: rect, state: to } : { state: to })
          place(element, seenRect(to === 'free' ? rect : free, to, area))
        },
        cancel: () => {
          done()
          place(element, seen)
        },
      }
    })

  const resize = (event: PointerEvent<HTMLElement>, at: Edges) =>
    drag(event, (element) => {
      let rect = seen
      return {
        move: (by) => {
          rect = resized(seen, at, by, area)
          place(element, rect)
        },
        end: () => changeWindow(appId, { free: rect, state: 'free' }),
        cancel: () => place(element, seen),
      }
    })

  const zoom = () => {
    if (!isSheet) changeWindow(appId, { state: state === 'free' ? 'maximised' : 'free' })
  }
  const raise = () => raiseWindow(appId)
  useBackCloses(isSheet && isTop && !isMinimised, close)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Any interaction inside raises the window.
    <div
      ref={frame}
      className={styles.window}
      role="dialog"
      aria-modal="false"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-surface={appId}
      data-state={isSheet ? 'sheet' : state}
      data-top={isTop || undefined}
      hidden={isMinimised || (isSheet && !isTop)}
      style={{ zIndex: order }}
      onPointerDownCapture={() => {
        endHandling()
        raise()
      }}
      onFocusCapture={raise}
      onBlur={endHandling}
    >
      <div className={styles.bar} onPointerDown={move} onDoubleClick={zoom}>
        <span className={styles.icon}>
          <AppIcon app={app} />
        </span>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <div className={styles.buttons}>
          <WindowMenu />
          <IconButton label={texts.minimise} icon={<Minus aria-hidden="true" />} onClick={minimise} />
          {!isSheet && <ZoomButton isFree={state === 'free'} onClick={zoom} />}
          <IconButton label={texts.close} icon={<X aria-hidden="true" />} onClick={close} />
        </div>
      </div>
      <div className={styles.content} data-page-content="">
        {children}
      </div>
      <p className={styles.hint} role="status">
        {handledKind === 'move' && texts.moving}
        {handledKind === 'resize' && texts.resizing}
      </p>
      {!isSheet &&
        edges.map((at) => (
          <div
            key={`${at.x} ${at.y}`}
            className={styles.edge}
            data-x={at.x}
            data-y={at.y}
            aria-hidden="true"
            onPointerDown={(event) => resize(event, at)}
          />
        ))}
    </div>
  )
}

/** Written directly, not by React, because a dragged window is placed on every frame. */
function place({ style }: HTMLElement, { x, y, width, height }: Rect): void {
  style.translate = `${x}px ${y}px`
  style.width = `${width}px`
  style.height = `${height}px`
}

function showPreview(preview: HTMLElement | null, rect: Rect | null): void {
  if (preview === null) return
  // Written only on a change, because browsers recalculate styles on every write.
  if (preview.hidden !== (rect === null)) preview.hidden = rect === null
  if (rect !== null) place(preview, rect)
}
