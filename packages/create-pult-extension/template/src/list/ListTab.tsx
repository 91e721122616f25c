import { useNotify, useStoreEntries } from '@pult/sdk'
import { Alert, Button, Card, EmptyState, Skeleton, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import styles from './ListTab.module.css'

/** A list stored on the server, one per project and live for every user who may open this tab. */
export function ListTab() {
  const { entries, error, write, remove } = useStoreEntries('item:')
  const [label, setLabel] = useState('')
  const notify = useNotify()

  async function change(work: Promise<unknown>) {
    try {
      await work
    } catch (failure) {
      notify({ title: 'Changing the list failed', error: failure })
    }
  }
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (label.trim() === '') return
    setLabel('')
    // Entries are sorted by key, so the new one is last.
    await change(write(`item:${Date.now()}-${crypto.randomUUID()}`, label.trim(), 0))
  }

  return (
    <Card title="List">
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <TextField label="New item" value={label} onChange={({ target }) => setLabel(target.value)} />
        <Button type="submit" variant="primary">
          Add
        </Button>
      </form>
      {error !== null && (
        <Alert tone="danger" title="The list could not be read">
          {error.message}
        </Alert>
      )}
      {entries === undefined && error === null && <Skeleton />}
      {entries?.length === 0 && (
        <EmptyState level={3} title="Nothing yet" text="All users of this app see the items that you add." />
      )}
      <ul className={styles.items}>
        {entries?.map(({ key, value }) => (
          <li key={key} className={styles.item}>
            {String(value)}
            <Button
              variant="ghost"
              aria-label={`Remove ${String(value)}`}
              onClick={() => void change(remove(key))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
