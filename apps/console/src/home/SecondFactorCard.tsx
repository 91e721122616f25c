import { Button, ButtonLink, Card } from '@pult/ui'
import { useState } from 'react'
import { texts } from '#platform/desk/desk.texts.ts'
import { storage } from '#platform/storage.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import styles from './SecondFactorCard.module.css'

const words = texts.home

/**
 * Recommends a second factor until it is on or declined in this browser. Root sees it among the first steps instead.
 */
export function SecondFactorCard() {
  const { _id, isRoot, otpEnabled } = useCredentials()
  const [isDeclined, setDeclined] = useState(() => readDeclined().includes(_id))
  if (isRoot || otpEnabled || isDeclined) return null
  const decline = () => {
    storage.secondFactorLater.write(JSON.stringify([...readDeclined(), _id]))
    setDeclined(true)
  }
  return (
    <Card title={words.secondFactor}>
      <p className={styles.text}>{words.secondFactorText}</p>
      <span className={styles.actions}>
        <ButtonLink href="/me/otp">{words.turnOn}</ButtonLink>
        <Button variant="ghost" onClick={decline}>
          {words.notNow}
        </Button>
      </span>
    </Card>
  )
}

function readDeclined(): string[] {
  try {
    const stored: unknown = JSON.parse(storage.secondFactorLater.read() ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
