import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { productName } from '../page-title.ts'
import styles from './PrintedCodes.module.css'
import { texts } from './recovery-codes.texts.ts'

/** Replaces the page by a sheet with the recovery codes when it is printed. Renders nothing on screen. */
export function PrintedCodes({ codes, account }: { codes: readonly string[]; account: string }) {
  const isPrinting = useIsPrinting()
  if (!isPrinting) return null
  return createPortal(
    <section className={styles.sheet}>
      <h1>{texts.sheetTitle(productName)}</h1>
      <p>{location.origin}</p>
      <p>{account}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p>{texts.sheetText}</p>
    </section>,
    document.body,
  )
}

function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser captures the page right after the event.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
