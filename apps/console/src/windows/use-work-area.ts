import { useSyncExternalStore } from 'react'
import { windowBarSlot } from '../shell/window-bar-slot.ts'
import type { Size } from './window-geometry.ts'

/** The area of windows: everything below the header. */
export interface WorkArea extends Size {
  /** Distance from the top of the screen. */
  top: number
  isSheet: boolean
}

const noRoom = matchMedia('(max-width: 599px), (max-height: 359px)')
let area: WorkArea = measure()

export const workArea = () => area

function measure(): WorkArea {
  const top = windowBarSlot.get()?.closest('header')?.offsetHeight ?? 0
  const { clientWidth } = document.documentElement
  return { top, width: clientWidth, height: Math.max(0, innerHeight - top), isSheet: noRoom.matches }
}

function follow(listener: () => void): () => void {
  const update = () => {
    const next = measure()
    const isSame = Object.keys(next).every((key) => Reflect.get(next, key) === Reflect.get(area, key))
    if (isSame) return
    area = next
    listener()
  }
  const watcher = new ResizeObserver(update)
  const watch = () => {
    watcher.disconnect()
    // Without the width of a scroll bar.
    watcher.observe(document.documentElement)
    const header = windowBarSlot.get()?.closest('header')
    if (header) watcher.observe(header)
    update()
  }
  const stopSlot = windowBarSlot.subscribe(watch)
  addEventListener('resize', update)
  watch()
  return () => {
    stopSlot()
    watcher.disconnect()
    removeEventListener('resize', update)
  }
}

export const useWorkArea = (): WorkArea => useSyncExternalStore(follow, workArea)
