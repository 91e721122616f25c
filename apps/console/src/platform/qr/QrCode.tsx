import { Alert } from '@pult/ui'
import { useEffect, useState } from 'react'
import { lateModule } from '../late-module.ts'
import styles from './QrCode.module.css'
import { texts } from './qr.texts.ts'
import type { QrPath } from './qr-path.ts'

interface QrCodeProps {
  /** The encoded text. */
  text: string
  /** The accessible name. */
  label: string
}

/** Edge length of the code in pixels. */
const edge = 228

const drawing = lateModule(() => import('./qr-path.ts'))

/** A QR code, dark on light in both themes. Reserves its space while the drawing code loads. */
export function QrCode({ text, label }: QrCodeProps) {
  const path = useQrPath(text)
  if (path === 'failed') return <Alert tone="warning">{texts.failed}</Alert>
  return (
    <div className={styles.paper} aria-busy={path === null}>
      {path && (
        <svg width={widthOf(path)} viewBox={`0 0 ${path.size} ${path.size}`} role="img" aria-label={label}>
          <path d={path.d} />
        </svg>
      )}
    </div>
  )
}

/** Whole pixels for each module, so that all have the same size. */
function widthOf({ size }: QrPath): number {
  return size * Math.max(1, Math.floor(edge / size))
}

function useQrPath(text: string): QrPath | 'failed' | null {
  const [path, setPath] = useState<QrPath | 'failed' | null>(null)
  useEffect(() => {
    let isLeft = false
    const show = (next: QrPath | 'failed') => {
      if (!isLeft) setPath(next)
    }
    drawing.load().then(
      ({ qrPathOf }) => show(qrPathOf(text)),
      () => show('failed'),
    )
    return () => {
      isLeft = true
    }
  }, [text])
  return path
}
